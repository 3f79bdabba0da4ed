/** Bundles stay small, because loading them is most of a cold start. */

import { describe, expect, it } from 'vitest';
import { functionNames } from '../../bin/build/function-bundles.ts';
import { type Access, isOfPeople, isOfProject, type Route } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';

const callsAws = (access: Access) => Object.keys(access).length > 0;

const SERVED: readonly Route[] = [...ROUTES, unknownPathRoute];
const OPEN = SERVED.filter(({ access }) => !callsAws(access)).map(({ name }) => name);

/** No route, and it calls AWS with the parts of the SDK alone, or not at all. */
const WITHOUT_TABLE = ['send-events', 'send-slack', 'probe'];

/** Functions that a visitor calls. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  probe: ['bootstrap', 'submit-response', 'submit-dismissal'],
};

/** Functions that verify signed tokens, of respondents or of people in the console. */
const VERIFYING = ['bootstrap', ...SERVED.filter(isOfPeople).map(({ name }) => name)];

/** The most kilobytes of a bundle, up to a tenth above the largest of its kind. */
const CEILINGS = {
  /** Serves a route that a key or a link opens. */
  keyed: 340,
  /** Serves a route that anyone may call. The largest serves the OpenAPI document with a description for each field. */
  open: 300,
  /** No caller waits for it: the stream, purges, the score adapter, events. */
  background: 290,
} as const;

/** Replaced or left out, see bin/build/function-bundles.ts. */
const NEVER_USED = /credential-provider-|client-secrets-manager|\/(mnemonist|obliterator|event-streams)\//;

/** The one function that has every route. */
const SERVES_THE_TABLE = 'serve-openapi';

/** By what its function is, so that a new route needs no line here. */
function ceilingOf(name: string): number {
  const route: Route | undefined = SERVED.find((each) => each.name === name);
  if (route === undefined) return CEILINGS.background;
  return isOfProject(route) ? CEILINGS.keyed : CEILINGS.open;
}

describe('bundles', () => {
  it.each(functionNames())(
    '%s: stays below its size limit, with only zod/mini, no other route, and the SDK only if needed',
    async (name) => {
      const { kilobytes, text, inputs } = await bundleFunction(name);
      expect(kilobytes).toBeLessThan(ceilingOf(name));
      expect(inputs.filter((path) => path.includes('/zod/v4/classic/'))).toEqual([]);
      expect(inputs.some((path) => path.includes('/@aws-sdk/'))).toBe(
        ![...OPEN, ...WITHOUT_TABLE].includes(name),
      );
      expect(inputs.filter((path) => NEVER_USED.test(path))).toEqual([]);
      const held = SERVED.filter(({ summary }) => text.includes(summary)).map((route) => route.name);
      if (name !== SERVES_THE_TABLE) {
        expect(held.filter((route) => route !== name && CALLED[name]?.includes(route) !== true)).toEqual([]);
      }
      expect(inputs.some((path) => path.includes('/jose/'))).toBe(VERIFYING.includes(name));
    },
  );

  it.each(['unknown-path', 'serve-results-page', 'serve-console-file'])(
    '%s: reads no schema and has no zod',
    async (name) => {
      const { inputs } = await bundleFunction(name);
      expect(inputs.filter((path) => path.includes('/zod/'))).toEqual([]);
    },
  );

  it.each(VERIFYING)('%s: evaluates the library of signed tokens only when it verifies one', async (name) => {
    const { importKinds } = await bundleFunction(name);
    expect(importKinds.get('functions/identity/jose.ts')).toEqual(new Set(['dynamic-import']));
  });
});
