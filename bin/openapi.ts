import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openapiYaml } from '../shared/contract/openapi/openapi.ts';

let status = 2;
try {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [target, ...others] = positionals;
  if (others.length > 0) throw new Error('at most one file');
  status = 1;
  if (target === undefined) process.stdout.write(openapiYaml());
  else writeFileSync(target, openapiYaml());
} catch (error) {
  process.stderr.write(`openapi: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = status;
}
