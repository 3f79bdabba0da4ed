/** What is deployed stays small: most of a cold start is loading it. */

import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { BUNDLING } from '../../lib/service-function.ts';
import type { Access, Route } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';

const ROOT = join(import.meta.dirname, '../..');

async function bundle(name: string): Promise<{ kilobytes: number; inputs: string[] }> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`functions/${name}.ts`],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: BUNDLING.format,
    mainFields: BUNDLING.mainFields,
    minify: BUNDLING.minify,
  });
  const [output] = Object.values(metafile.outputs);
  return { kilobytes: (output?.bytes ?? Number.NaN) / 1_024, inputs: Object.keys(output?.inputs ?? {}) };
}

const callsAws = (access: Access) => Object.keys(access).length > 0;

describe('bundles', () => {
  const served: readonly Route[] = [...ROUTES, unknownPathRoute];

  it.each(served)(
    '$name: below 480 KB, or 200 KB without the SDK; zod/mini alone',
    async ({ name, access }) => {
      const { kilobytes, inputs } = await bundle(name);
      expect(inputs.filter((path) => path.includes('/zod/v4/classic/'))).toEqual([]);
      expect(inputs.some((path) => path.includes('/@aws-sdk/'))).toBe(callsAws(access));
      expect(kilobytes).toBeLessThan(callsAws(access) ? 480 : 200);
    },
  );

  it('count-answers: below 400 KB, without the secrets', async () => {
    const { kilobytes, inputs } = await bundle('count-answers');
    expect(inputs.filter((path) => path.includes('client-secrets-manager'))).toEqual([]);
    expect(kilobytes).toBeLessThan(400);
  });
});
