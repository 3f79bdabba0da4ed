import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, join } from 'node:path';
import { build, type OutputFile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { freshApp, packed, RESOLUTIONS, typeErrors } from './support/fresh-app.ts';

const app = freshApp({ packages: ['browser'] });
const { folder } = packed('browser');
const dist = join(folder, 'dist');
const PARTS =
  'widget follow-up chips more looks unscaled hush lost refused bare kit thumbs asked own debug conditions opener languages locales questions question-texts'.split(
    ' ',
  );
const WORDS = readdirSync(join(import.meta.dirname, '../../shared/words/languages')).map(
  (file) => `words-${basename(file, '.ts')}`,
);
const STABLE = [
  ...['canvass.js', 'canvass.mjs', 'headless.mjs'],
  ...[...PARTS, ...WORDS].map((name) => `${name}.js`),
];

it('publishes every file under a stable and a hashed name, with a source map', () => {
  const isForPages = (name: string) => name !== 'types' && !/\.cjs|^testing/.test(name);
  const files = readdirSync(dist).filter(isForPages);
  for (const name of STABLE) {
    const [stem, extension] = name.split('.');
    expect(files).toEqual(expect.arrayContaining([name, `${name}.map`]));
    expect(
      files.filter((file) => new RegExp(`^${stem}-[0-9a-f]{8}\\.${extension}$`).test(file)),
    ).toHaveLength(1);
  }
  expect(files).toHaveLength(3 * STABLE.length);
});

it('publishes source maps that lead to the sources', () => {
  const text = readFileSync(join(dist, 'canvass.mjs'), 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(join(dist, 'canvass.mjs.map'), 'utf8')));
  const lines = text.split('\n');
  const line = lines.findIndex((one) => one.includes('no-token'));
  const entry = map.findEntry(line, lines[line]?.indexOf('no-token') ?? -1);
  if (!('originalSource' in entry)) throw new Error('The map has no such place.');
  expect(entry.originalSource).toBe('../client/eligibility.ts');
  const { sources, sourcesContent } = map.payload;
  const source = sourcesContent[sources.indexOf('../client/eligibility.ts')]?.split('\n') ?? [];
  expect(source[entry.originalLine]).toContain('no-token');
});

it('names no source map in a file, which would cost bytes in every page', () => {
  for (const name of STABLE) expect(readFileSync(join(dist, name), 'utf8')).not.toContain('sourceMappingURL');
});

it('lets a bundler put the widget into its own chunk, or leave it out', async () => {
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
      if (text.includes('attachShadow')) return text.includes('fieldset') ? 'widget' : 'kit';
      if (text.includes('console.info')) return 'debug';
      if (text.includes('Senden')) return 'de';
      return 'other';
    });
  };
  const chunks = await chunksOf('@canvass-surveys/browser');
  // The module, the list of languages, every language but German, and further chunks such as own buttons and
  // conditions. Thumbs have two chunks.
  const withThumbs = (others: number) => [
    'de',
    'debug',
    'kit',
    ...Array(others).fill('other'),
    'thumbs',
    'thumbs',
  ];
  expect(chunks.toSorted()).toEqual([...withThumbs(36), 'widget']);
  expect(chunks[0]).toBe('other');
  expect((await chunksOf('@canvass-surveys/browser/headless')).toSorted()).toEqual(withThumbs(29));
});

it('declares its public API and no internals', () => {
  const declarations = readdirSync(join(dist, 'types'), { recursive: true }).map(String);
  const modules = [
    'client/ask',
    'canvass',
    'client/events',
    'fake-survey',
    'headless',
    'client/message-rating',
    'client/options',
    'client/survey',
    'testing',
  ];
  expect(declarations.filter((path) => path.endsWith('.d.ts')).sort()).toEqual(
    [...modules, 'shared/words/strings'].sort().map((name) => `${name}.d.ts`),
  );
});

describe.each(RESOLUTIONS)('a type checker that resolves modules as $moduleResolution', (options) => {
  const check = (line: string): string =>
    typeErrors(
      app,
      {
        'app.mts': `
          import { createCanvass } from '@canvass-surveys/browser';
          import { createCanvass as createHeadless, isLowScore, type Ask } from '@canvass-surveys/browser/headless';
          const options = { key: 'svc_pk_1', baseUrl: 'https://surveys.example' };
          const canvass = createCanvass({ ...options, theme: 'dark', strings: { send: 'Senden' } });
          const own = (ask: Ask) => ask.answer(3, { text: ask.survey.question, followUpRequested: isLowScore('nps', 3) });
          const stop: () => void = createHeadless(options).on('ask', own);
          canvass.on('answered', ({ survey, rating }) => [survey.slug, rating, stop]);
          ${line}`,
      },
      options,
    );

  it('accepts correct use and refuses incorrect use', () => {
    expect(check("canvass.identify('ann', { plan: 'pro' });")).toBe('');
    expect(check('canvass.show(1);')).toContain('TS2345');
    expect(check("canvass.on('asked', () => undefined);")).toContain('TS2345');
  });
});
