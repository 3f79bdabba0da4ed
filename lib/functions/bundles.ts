import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** Defined only when the package is built. */
declare const BUNDLES_BESIDE: string;

/** See bin/build/function-bundles.ts. */
export const BUNDLES = join(
  import.meta.dirname,
  typeof BUNDLES_BESIDE === 'string' ? BUNDLES_BESIDE : '../dist/functions',
);

/** @throws Error in a checkout whose bundles were not built */
export function codeOf(scope: Construct, functionName: string): Code {
  // Checks the same context value as the CDK's own bundling (AWS CDK, BUNDLING_STACKS).
  if (!Stack.of(scope).bundlingRequired)
    return Code.fromInline('// Not bundled: this stack is not deployed.');
  const folder = join(BUNDLES, functionName);
  if (!existsSync(join(folder, 'index.js'))) {
    throw new Error(`There is no bundle of ${functionName} in ${BUNDLES}. Run "npm run build -- cdk" first.`);
  }
  return Code.fromAsset(folder);
}
