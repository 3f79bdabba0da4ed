/** `npm run openapi [-- FILE]`: writes the OpenAPI document to a file, or to stdout. */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openapiYaml } from '../shared/contract/openapi/openapi.ts';

function chooseTarget(args: string[]): string | undefined {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  if (positionals.length > 1) throw new Error('at most one file');
  return positionals[0];
}

function fail(error: unknown, status: number): void {
  process.stderr.write(`openapi: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = status;
}

function write(target: string | undefined): void {
  try {
    if (target === undefined) process.stdout.write(openapiYaml());
    else writeFileSync(target, openapiYaml());
  } catch (error) {
    fail(error, 1);
  }
}

try {
  write(chooseTarget(process.argv.slice(2)));
} catch (error) {
  fail(error, 2);
}
