/** What a customer's own tools make of the built SDK: a bundler, and a type checker that knows nothing of ours. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const run = (...command: string[]): string => execFileSync(process.execPath, command, { encoding: 'utf8' });
const folder = mkdtempSync(join(tmpdir(), 'canvass-sdk-'));
const sdk = join(folder, 'sdk');

beforeAll(() => {
  run(path('../../../bin/build-sdk.ts'), sdk);
});

afterAll(() => rmSync(folder, { recursive: true }));

it('every file stands under its stable name and under one of its content', () => {
  const files = readdirSync(sdk);
  for (const name of ['canvass.js', 'canvass.mjs', 'headless.mjs', 'widget.js']) {
    const [stem, extension] = name.split('.');
    expect(files).toContain(name);
    expect(
      files.filter((file) => new RegExp(`^${stem}-[0-9a-f]{10}\\.${extension}$`).test(file)),
    ).toHaveLength(1);
  }
});

it('a bundler makes a chunk of its own of the widget, and none of it without', async () => {
  const chunksOf = async (module: string) => {
    const { outputFiles } = await build({
      stdin: { contents: `export * from './${module}';`, resolveDir: sdk },
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: join(sdk, 'out'),
      write: false,
    });
    return outputFiles.map(({ text }) => text.includes('attachShadow'));
  };
  expect(await chunksOf('canvass.mjs')).toEqual([false, true]);
  expect(await chunksOf('headless.mjs')).toEqual([false]);
});

it('a type checker accepts right use and refuses wrong use', () => {
  const check = (line: string): string => {
    const file = join(folder, 'app.ts');
    writeFileSync(
      file,
      `import { createCanvass } from '${sdk}/types/canvass.js';
       import { createCanvass as createHeadless, isLowScore, type Ask } from '${sdk}/types/headless.js';
       const options = { key: 'svc_pk_1', baseUrl: 'https://surveys.example' };
       const canvass = createCanvass({ ...options, theme: 'dark', strings: { send: 'Senden' } });
       const own = (ask: Ask) => ask.answer(3, { text: ask.survey.question, followUpRequested: isLowScore('nps', 3) });
       const stop: () => void = createHeadless(options).on('ask', own);
       canvass.on('answered', ({ survey, rating }) => [survey.slug, rating, stop]);
       ${line}`,
    );
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ];
    try {
      return run(
        path('../../../node_modules/typescript/bin/tsc'),
        ...flags,
        '--ignoreConfig',
        '--types',
        '',
        file,
      );
    } catch (error) {
      return String((error as { stdout: string }).stdout);
    }
  };
  expect(check("canvass.identify('ann', { plan: 'pro' });")).toBe('');
  expect(check('canvass.show(1);')).toContain('TS2345');
  expect(check("canvass.on('asked', () => undefined);")).toContain('TS2345');
});
