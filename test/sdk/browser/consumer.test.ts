/** What a customer's own tools make of the built SDK: a bundler, and a type checker that knows nothing of ours. */

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputFile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FETCHED_NAMES } from '../../../sdk/build-browser.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const run = (...command: string[]): string => execFileSync(process.execPath, command, { encoding: 'utf8' });
const folder = mkdtempSync(join(tmpdir(), 'canvass-sdk-'));
const sdk = join(folder, 'sdk');

/** What an app has of its own: the two hooks, as React types them, and a dialog. */
const AROUND = `
declare module 'react' {
  export function useEffect(effect: () => void | (() => void), dependencies?: readonly unknown[]): void;
  export function useState<S>(): [S | undefined, (next: S | undefined | ((before: S | undefined) => S | undefined)) => void];
}
declare function openMyDialog(
  question: string,
  scale: { min: number; max: number },
  heard: {
    rated(rating: number): void;
    finished(rating: number, text: string, followUpRequested: boolean): void;
    closed(): void;
  },
): void;
`;

/** An app of a customer's that has installed what was built. */
const app = join(folder, 'app');

function typeErrors(file: string, text: string): string {
  writeFileSync(join(app, file), text);
  try {
    return run(path('../../../node_modules/typescript/bin/tsc'), '--project', app);
  } catch (error) {
    return String((error as { stdout: string }).stdout);
  } finally {
    rmSync(join(app, file));
  }
}

beforeAll(() => {
  run(path('../../../bin/build-sdk.ts'), sdk);
  mkdirSync(join(app, 'node_modules'), { recursive: true });
  symlinkSync(sdk, join(app, 'node_modules', 'canvass'));
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'preserve',
    types: [],
  };
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(join(app, 'around.d.ts'), AROUND);
});

afterAll(() => rmSync(folder, { recursive: true }));

it('every file stands under its stable name and under one of its content', () => {
  const files = readdirSync(sdk);
  for (const name of ['canvass.js', 'canvass.mjs', 'headless.mjs', ...FETCHED_NAMES]) {
    const [stem, extension] = name.split('.');
    expect(files).toContain(name);
    expect(
      files.filter((file) => new RegExp(`^${stem}-[0-9a-f]{8}\\.${extension}$`).test(file)),
    ).toHaveLength(1);
  }
});

it('a bundler makes a chunk of its own of the widget, and none of it without', async () => {
  const chunksOf = async (module: string) => {
    const { outputFiles } = await build({
      stdin: { contents: `export * from '${module}';`, resolveDir: app },
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: join(app, 'out'),
      write: false,
    });
    const isEntry = ({ path: file }: OutputFile) => file.endsWith('stdin.js');
    const entryFirst = outputFiles.toSorted((a, b) => Number(isEntry(b)) - Number(isEntry(a)));
    return entryFirst.map(({ text }) => {
      if (text.includes('aria-pressed')) return 'thumbs';
      if (text.includes('attachShadow')) return 'widget';
      if (text.includes('console.info')) return 'debug';
      if (text.includes('Senden')) return 'de';
      return 'other';
    });
  };
  const chunks = await chunksOf('canvass/browser');
  // The module, the list of languages, and the languages but German.
  const languages = ['de', 'debug', ...Array.from({ length: 21 }, () => 'other'), 'thumbs'];
  expect(chunks.toSorted()).toEqual([...languages, 'widget']);
  expect(chunks[0]).toBe('other');
  // Without the widget, thumbs are drawn all the same, where a page binds them.
  expect((await chunksOf('canvass/browser/headless')).toSorted()).toEqual(languages);
});

it('is a package without dependencies', () => {
  const { name, type, dependencies } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
  expect({ name, type, dependencies }).toEqual({ name: 'canvass', type: 'module', dependencies: undefined });
});

it('a type checker accepts right use and refuses wrong use', () => {
  const check = (line: string): string =>
    typeErrors(
      'app.ts',
      `import { createCanvass } from 'canvass/browser';
       import { createCanvass as createHeadless, isLowScore, type Ask } from 'canvass/browser/headless';
       const options = { key: 'svc_pk_1', baseUrl: 'https://surveys.example' };
       const canvass = createCanvass({ ...options, theme: 'dark', strings: { send: 'Senden' } });
       const own = (ask: Ask) => ask.answer(3, { text: ask.survey.question, followUpRequested: isLowScore('nps', 3) });
       const stop: () => void = createHeadless(options).on('ask', own);
       canvass.on('answered', ({ survey, rating }) => [survey.slug, rating, stop]);
       ${line}`,
    );
  expect(check("canvass.identify('ann', { plan: 'pro' });")).toBe('');
  expect(check('canvass.show(1);')).toContain('TS2345');
  expect(check("canvass.on('asked', () => undefined);")).toContain('TS2345');
});

describe('what the README shows', () => {
  const readme = readFileSync(path('../../../README.md'), 'utf8');
  const snippets = [...readme.matchAll(/^```(tsx?)\n(.*?)^```/gms)].map(([, language, text]) => ({
    file: `snippet.${language}`,
    text: text ?? '',
  }));

  it('is a bundler, React in fifteen lines, and an own interface', () => {
    expect(snippets.map(({ text }) => /from '([^']+)'/.exec(text)?.[1])).toEqual([
      'canvass/browser',
      'react',
      'canvass/browser/headless',
    ]);
    expect(snippets[1]?.text.split('\n').filter(Boolean).length).toBeLessThanOrEqual(15);
  });

  it.each(snippets)('$file passes a type checker and a bundler', async ({ file, text }) => {
    expect(typeErrors(file, text)).toBe('');
    const bundled = build({
      stdin: { contents: text, resolveDir: app, loader: 'tsx' },
      bundle: true,
      splitting: true,
      format: 'esm',
      external: ['react'],
      outdir: join(app, 'out'),
      write: false,
    });
    await expect(bundled).resolves.toMatchObject({ errors: [], warnings: [] });
  });
});
