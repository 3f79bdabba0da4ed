/** Limits bundle sizes, because loading a bundle takes most of a cold start. */

import { describe, expect, it } from 'vitest';
import { functionNames } from '../../bin/build/function-bundles.ts';
import { type Access, isOfPeople, isOfProject, type Route } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { bundleFunctions } from '../support/stack/bundle-function.ts';

const callsAws = (access: Access) => Object.keys(access).length > 0;

const SERVED: readonly Route[] = [...ROUTES, unknownPathRoute];
const OPEN = SERVED.filter(({ access }) => !callsAws(access)).map(({ name }) => name);

/** Functions without a route that use only parts of the AWS SDK, or nothing of it. */
const WITHOUT_TABLE = ['send-events', 'send-slack', 'probe'];

/** Functions that visitors call. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  probe: [
    'bootstrap',
    'submit-response',
    'submit-dismissal',
    'deferred-ask-link',
    'show-link',
    'answer-link',
  ],
};

/** Functions that verify signed tokens of respondents or of console users. */
const VERIFYING = ['bootstrap', ...SERVED.filter(isOfPeople).map(({ name }) => name)];

/** Size limits in kilobytes, up to a tenth above the largest bundle of each kind. */
const CEILINGS = {
  /** Serves routes that require a key or a link. */
  keyed: 365,
  /** Serves public routes. The largest bundle contains the OpenAPI document with a description of each field. */
  open: 325,
  /** Runs in the background: the stream, purges, the score adapter, events. */
  background: 290,
} as const;

/** Replaced or left out, see bin/build/function-bundles.ts. */
const NEVER_USED = /credential-provider-|client-secrets-manager|\/(mnemonist|obliterator|event-streams)\//;

/** The only function that contains every route. */
const SERVES_THE_TABLE = 'serve-openapi';

/** Derived from the function's kind, so that a new route needs no entry here. */
function ceilingOf(name: string): number {
  const route: Route | undefined = SERVED.find((each) => each.name === name);
  if (route === undefined) return CEILINGS.background;
  return isOfProject(route) ? CEILINGS.keyed : CEILINGS.open;
}

const { bundles, importKinds } = await bundleFunctions(functionNames());

function bundleOf(name: string) {
  const bundle = bundles[name];
  if (bundle === undefined) throw new Error(`there is no function ${name}`);
  return bundle;
}

describe('bundles', () => {
  it.each(functionNames())(
    '%s: stays below its size limit, with only zod/mini, no other route, and the SDK only if needed',
    (name) => {
      const { kilobytes, text, inputs } = bundleOf(name);
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
    (name) => {
      const { inputs } = bundleOf(name);
      expect(inputs.filter((path) => path.includes('/zod/'))).toEqual([]);
    },
  );

  it('evaluates the library of signed tokens only when a function verifies one', () => {
    expect(importKinds.get('functions/identity/jose.ts')).toEqual(new Set(['dynamic-import']));
  });
});
