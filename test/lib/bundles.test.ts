/** What is deployed stays small: most of a cold start is loading it. */

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleCeiling } from '../../lib/bundle-ceilings.ts';
import type { Access } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { bundleFunction } from '../support/bundle-function.ts';

const callsAws = (access: Access) => Object.keys(access).length > 0;

const SERVED = [...ROUTES, unknownPathRoute];
const OPEN = SERVED.filter(({ access }) => !callsAws(access)).map(({ name }) => name);

const ENTRIES = globSync('{*,purge/*}.ts', { cwd: join(import.meta.dirname, '../../functions') }).map(
  (path) => path.replaceAll('\\', '/').replace(/\.ts$/, ''),
);

describe('bundles', () => {
  it.each(ENTRIES)('%s: below its ceiling, zod/mini alone, the SDK only where it is needed', async (name) => {
    const { kilobytes, inputs } = await bundleFunction(name);
    expect(kilobytes).toBeLessThan(bundleCeiling(name, SERVED));
    expect(inputs.filter((path) => path.includes('/zod/v4/classic/'))).toEqual([]);
    expect(inputs.some((path) => path.includes('/@aws-sdk/'))).toBe(!OPEN.includes(name));
    expect(inputs.filter((path) => /credential-provider-|client-secrets-manager/.test(path))).toEqual([]);
  });
});
