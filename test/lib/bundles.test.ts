/** What is deployed stays small: most of a cold start is loading it. */

import { describe, expect, it } from 'vitest';
import type { Access, Route } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { bundleFunction } from '../support/bundle-function.ts';

const callsAws = (access: Access) => Object.keys(access).length > 0;

describe('bundles', () => {
  const served: readonly Route[] = [...ROUTES, unknownPathRoute];

  it.each(served)(
    '$name: below 480 KB, or 200 KB without the SDK; zod/mini alone',
    async ({ name, access }) => {
      const { kilobytes, inputs } = await bundleFunction(name);
      expect(inputs.filter((path) => path.includes('/zod/v4/classic/'))).toEqual([]);
      expect(inputs.some((path) => path.includes('/@aws-sdk/'))).toBe(callsAws(access));
      expect(kilobytes).toBeLessThan(callsAws(access) ? 480 : 200);
    },
  );

  it('count-answers: below 400 KB, without the secrets', async () => {
    const { kilobytes, inputs } = await bundleFunction('count-answers');
    expect(inputs.filter((path) => path.includes('client-secrets-manager'))).toEqual([]);
    expect(kilobytes).toBeLessThan(400);
  });
});
