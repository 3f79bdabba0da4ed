/** Builds the browser SDK in memory. */

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { minifySync } from 'rolldown/utils';
import { minifiedCss } from './minified-css.ts';

const SOURCE = fileURLToPath(new URL('../../sdk/browser/', import.meta.url));
const LANGUAGES = '../../shared/words/languages/';

/**
 * Bytes after gzip of what a page loads before it shows a survey. `chat` is client and thumbs; `after` is what follows
 * once a survey is shown. Not counted are files that only some surveys or pages need.
 */
export const BUDGET = {
  client: 3 * 1_024,
  together: 8 * 1_024,
  chat: 11 * 1_024,
  after: 3.125 * 1_024,
} as const;

export interface SdkFile {
  readonly stableName: string;
  readonly hashedName: string;
  readonly text: string;
  /** The source map as JSON. Files have no comment that names it, to save bytes. */
  readonly map: string;
}

export interface SdkBuild {
  readonly script: SdkFile;
  /** ES modules for bundlers, with and without the widget. */
  readonly module: SdkFile;
  readonly headless: SdkFile;
  /** Fetched when a survey is about to be shown. */
  readonly widget: SdkFile;
  /** Fetched on a page that is not in English. */
  readonly languages: SdkFile;
  readonly words: readonly SdkFile[];
  /** Fetched for a survey with texts in several languages. */
  readonly locales: SdkFile;
  /** The widget without the parts that it shares with thumbs, and those parts. */
  readonly bare: SdkFile;
  readonly kit: SdkFile;
  /** Fetched when thumbs are bound to a message, and when one is shown. */
  readonly thumbs: SdkFile;
  readonly asked: SdkFile;
  /** Fetched once a survey is shown: the follow-up question and the thanks. */
  readonly followUp: SdkFile;
  /** Fetched for a survey with reasons. */
  readonly chips: SdkFile;
  /** Fetched when a thumb down has more questions. */
  readonly more: SdkFile;
  /** Fetched for a banner, or a scale of words. */
  readonly looks: SdkFile;
  /** Fetched when thumbs use the page's own buttons. */
  readonly own: SdkFile;
  /** Fetched when a survey has pages or an event. */
  readonly conditions: SdkFile;
  /** Fetched by a developer's page. */
  readonly debug: SdkFile;
}

const SPOKEN = readdirSync(`${SOURCE}${LANGUAGES}`).sort();
const wordsName = (file: string): string => `words-${basename(file, '.ts')}.js`;

export const FETCHED_NAMES: readonly string[] = [
  'widget.js',
  'follow-up.js',
  'chips.js',
  'more.js',
  'looks.js',
  'bare.js',
  'kit.js',
  'thumbs.js',
  'asked.js',
  'own.js',
  'debug.js',
  'conditions.js',
  'languages.js',
  'locales.js',
  ...SPOKEN.map(wordsName),
];

export const filesOf = (files: SdkBuild): SdkFile[] => Object.values(files).flat();

export const gzipBytes = ({ text }: SdkFile): number => gzipSync(text, { level: 9 }).length;

/** Keeps dynamic imports of these sources as separate files beside the output. */
const beside = (files: Readonly<Record<string, SdkFile>>): Plugin => ({
  name: 'beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, kind }) => {
      const file = kind === 'dynamic-import' ? files[basename(path, '.ts')] : undefined;
      return file && { path: `./${file.hashedName}`, external: true };
    });
  },
});

/** As long as the name that it replaces (client/parts.ts), so that the source map stays correct. */
const NOT_TO_BE_BUNDLED = '/*@vite-ignore*//*webpackIgnore:true*/';

/**
 * Members to shorten in every file, because no page, export or storage uses them. Saves about 200 bytes of client and
 * thumbs.
 */
const SHORT_NAMES = Object.fromEntries(
  (
    'ask visit person read post flush load eligibility isSeen forget markOf emit isOpen bound place placeOf endMore ' +
    'createBox drawing fetch refusal retryMs say reply update askMore ' +
    'endAsk press createOutbox put dueIn element ofToken hear host isTheirs keep latest list messageOf panel resume ' +
    'spoken turn view voice wentBack deliver meaning direction messages'
  )
    .split(' ')
    .map((name, at) => [name, String.fromCharCode(at < 26 ? 97 + at : 39 + at)]),
);

async function bundle(entry: string, name: string, options: BuildOptions = {}): Promise<SdkFile> {
  const { outputFiles } = await build({
    entryPoints: [`${SOURCE}${entry}`],
    bundle: true,
    minify: true,
    // Source maps are relative to this folder, wherever the files are written.
    outdir: `${SOURCE}dist`,
    write: false,
    sourcemap: 'external',
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    mangleProps: new RegExp(`^(${Object.keys(SHORT_NAMES).join('|')})$`),
    mangleCache: SHORT_NAMES,
    tsconfigRaw: {},
    ...options,
  });
  const textOf = (end: string): string => outputFiles?.find(({ path }) => path.endsWith(end))?.text ?? '';
  // Restarting names in each function makes functions similar, which saves about 140 of 7,900 bytes after gzip.
  const { code, map, errors } = minifySync(name, textOf('.js'), {
    module: true,
    compress: true,
    mangle: true,
    sourcemap: true,
    inputMap: JSON.parse(textOf('.map')),
  });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const text = code.replace('unknownToBundlersUntilTheBrowserSaysIt', NOT_TO_BE_BUNDLED);
  return named({ stableName: name, text, map: JSON.stringify(map) }, hashOf(text));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
const named = (file: Omit<SdkFile, 'hashedName'>, hash: string): SdkFile => ({
  ...file,
  hashedName: file.stableName.replace('.', `-${hash}.`),
});

export async function buildSdk(): Promise<SdkBuild> {
  const words = await Promise.all(SPOKEN.map((file) => bundle(`${LANGUAGES}${file}`, wordsName(file))));
  const byLanguage = Object.fromEntries(words.map((file, at) => [basename(SPOKEN[at] ?? '', '.ts'), file]));
  const languages = await bundle('widget/languages.ts', 'languages.js', { plugins: [beside(byLanguage)] });
  const locales = await bundle('widget/locales.ts', 'locales.js');
  const chips = await bundle('widget/chips.ts', 'chips.js', { plugins: [minifiedCss] });
  const withChips = { plugins: [minifiedCss, beside({ chips })] };
  const followUp = await bundle('widget/follow-up.ts', 'follow-up.js', withChips);
  const more = await bundle('thumbs/more.ts', 'more.js', withChips);
  const looks = await bundle('widget/looks.ts', 'looks.js', { plugins: [minifiedCss] });
  const plugins = [minifiedCss, beside({ languages, locales, 'follow-up': followUp, more, looks })];
  const fetched = await Promise.all([
    bundle('widget/widget.ts', 'widget.js', { plugins }),
    bundle('widget/bare.ts', 'bare.js', { plugins }),
    bundle('client/kit.ts', 'kit.js', { plugins }),
    bundle('client/debug.ts', 'debug.js'),
    bundle('client/conditions.ts', 'conditions.js'),
    bundle('thumbs/thumbs.ts', 'thumbs.js', { plugins }),
    bundle('thumbs/thumbs-survey.ts', 'asked.js', { plugins }),
    bundle('thumbs/own-buttons.ts', 'own.js', { plugins }),
  ]);
  // A shared hash keeps the client small.
  const hash = hashOf(fetched.map(({ text }) => text).join(''));
  const [widget, bare, kit, debug, conditions, thumbs, asked, own] = fetched.map((file) => named(file, hash));
  if (!widget || !bare || !kit || !debug || !conditions || !thumbs || !asked || !own)
    throw new Error('Nothing was built.');
  const parts = [
    beside({
      widget,
      bare,
      kit,
      debug,
      conditions,
      thumbs,
      'thumbs-survey': asked,
      'own-buttons': own,
      locales,
    }),
  ];
  const define = { BUILD: JSON.stringify(hash) };
  const [script, module, headless] = await Promise.all([
    bundle('script.ts', 'canvass.js', { format: 'iife', define }),
    bundle('canvass.ts', 'canvass.mjs', { plugins: parts }),
    bundle('headless.ts', 'headless.mjs', { plugins: parts }),
  ]);
  return {
    script,
    module,
    headless,
    widget,
    bare,
    kit,
    languages,
    locales,
    words,
    thumbs,
    asked,
    own,
    followUp,
    chips,
    more,
    looks,
    conditions,
    debug,
  };
}

export function sizeReport(files: SdkBuild): string {
  const {
    script,
    module,
    headless,
    widget,
    bare,
    kit,
    languages,
    locales,
    words,
    thumbs,
    asked,
    own,
    followUp,
    chips,
    more,
    looks,
    conditions,
    debug,
  } = files;
  const [client, shown] = [gzipBytes(script), gzipBytes(widget)];
  const chat = client + gzipBytes(kit) + gzipBytes(thumbs);
  const line = (what: string, bytes: number, budget?: number) => {
    const share = budget ? ` of ${budget}, ${((100 * bytes) / budget).toFixed(1)} %` : '';
    return `${what.padEnd(26)}${`${bytes}`.padStart(6)} bytes${share}`;
  };
  return [
    line('client (script tag)', client, BUDGET.client),
    line('client (module)', gzipBytes(module), BUDGET.client),
    line('client, headless', gzipBytes(headless)),
    line('widget', shown),
    line('client and widget', client + shown, BUDGET.together),
    line('after a rating', gzipBytes(followUp), BUDGET.after),
    line('reasons', gzipBytes(chips)),
    line('banner or word scale', gzipBytes(looks)),
    line('another language, at most', gzipBytes(languages) + Math.max(...words.map(gzipBytes))),
    line('localized surveys', gzipBytes(locales)),
    line('shared with thumbs', gzipBytes(kit)),
    line('thumbs', gzipBytes(thumbs)),
    line('client and thumbs', chat, BUDGET.together),
    line('more questions of thumbs', gzipBytes(more)),
    line('thumbs when shown', gzipBytes(asked)),
    line('chat with surveys', chat + gzipBytes(bare), BUDGET.chat),
    line('widget first, then thumbs', client + shown + gzipBytes(thumbs), BUDGET.chat),
    line('own buttons', gzipBytes(own)),
    line('pages and events', gzipBytes(conditions)),
    line('debug and preview', gzipBytes(debug)),
  ].join('\n');
}
