import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** Only in the package, which has the bundles beside it. */
declare const BUNDLES_BESIDE: string;

/** A folder for each function, by its name, with `index.js`: bin/build/function-bundles.ts writes it. */
export const BUNDLES = join(
  import.meta.dirname,
  typeof BUNDLES_BESIDE === 'string' ? BUNDLES_BESIDE : '../dist/functions',
);

/** @throws Error in a checkout whose bundles were not built */
export function codeOf(scope: Construct, functionName: string): Code {
  // As CDK's own bundling: a stack that is not about to be deployed needs none (AWS CDK, BUNDLING_STACKS).
  if (!Stack.of(scope).bundlingRequired)
    return Code.fromInline('// Not bundled: this stack is not deployed.');
  const folder = join(BUNDLES, functionName);
  if (!existsSync(join(folder, 'index.js'))) {
    throw new Error(`There is no bundle of ${functionName} in ${BUNDLES}: run "npm run build -- cdk" first.`);
  }
  return Code.fromAsset(folder);
}
