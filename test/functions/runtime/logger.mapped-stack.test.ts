import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { BUNDLING } from '../../../bin/build/function-bundles.ts';
import { createLogger, mappedStack } from '../../../functions/runtime/logger.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function thrownByABundle(name: string, map?: string): Promise<Error> {
  const folder = temporaryFolder();
  const outfile = join(folder, `${name}.cjs`);
  writeFileSync(
    join(folder, `${name}.ts`),
    '// Nothing here is kept.\ninterface Cause { readonly why: string }\nexport function fail({ why }: Cause) {\n  throw new Error(why);\n}\n',
  );
  await build({
    ...BUNDLING,
    absWorkingDir: folder,
    entryPoints: [`${name}.ts`],
    outfile,
  });
  if (map !== undefined) writeFileSync(`${outfile}.map`, map);
  try {
    createRequire(import.meta.url)(outfile).fail({ why: 'it broke' });
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('the bundle did not throw');
}

it('logs file and line of the source with an error', async () => {
  const lines: string[] = [];
  const error = await thrownByABundle('broken');
  createLogger((line) => lines.push(line)).error({ message: 'request', error });
  const [first, second] = JSON.parse(lines[0] ?? '').error.stack.split('\n');
  expect(first).toBe('Error: it broke');
  expect(second).toMatch(/\(?broken\.ts:4:9\)?$/);
});

it("logs file and line of the error's cause, too", async () => {
  const lines: string[] = [];
  const cause = await thrownByABundle('caused');
  createLogger((line) => lines.push(line)).error({
    message: 'request',
    error: new Error('outer', { cause }),
  });
  expect(JSON.parse(lines[0] ?? '').error.cause.stack).toContain('caused.ts:4:9');
});

it('keeps a trace without a readable map', async () => {
  const { stack = '' } = await thrownByABundle('unreadable', '{"version":3');
  expect(mappedStack(stack)).toBe(stack);
  const elsewhere =
    'Error: no\n    at f (/nowhere/at/all.js:1:2)\n    at node:internal/process/task_queues:103:5';
  expect(mappedStack(elsewhere)).toBe(elsewhere);
});

it('does not change messages that look like frames', async () => {
  const { stack = '' } = await thrownByABundle('quoted');
  const [, frame = ''] = stack.split('\n');
  const place = /\/[^\s():]+\.cjs:\d+:\d+/.exec(frame)?.[0] ?? '';
  expect(mappedStack(frame)).toContain('quoted.ts:4:9');
  expect(mappedStack(`Error: see ${place}\n${frame}`)).toBe(`Error: see ${place}\n${mappedStack(frame)}`);
});

it('finds the source position in a frame, however many slashes a message or a frame has', () => {
  // Any slash could begin a path; trying each over the whole line would exceed the test's timeout.
  const slashes = '/'.repeat(300_000);
  for (const stack of [`Error: ${slashes}`, `Error: no\n    at ${slashes}`])
    expect(mappedStack(stack)).toBe(stack);
});
