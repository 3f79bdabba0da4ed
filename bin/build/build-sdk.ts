/** Builds the browser SDK in memory: for `dist`, for the local demo, and for the test of its size. */

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { minifySync } from 'rolldown/utils';
import { minifiedCss } from './minified-css.ts';

const SOURCE = fileURLToPath(new URL('../../sdk/browser/', import.meta.url));
/** From there. */
const LANGUAGES = '../../shared/words/languages/';

/**
 * Bytes after gzip, by what a page loads until somebody is asked: the client at once, then the widget with the first
 * survey, or thumbs with what they share with it; `chat` is both. `after` is what is fetched once the survey is shown: for
 * a follow-up question, for thanks, for what is under the pointer. Not counted is what only some surveys or pages need,
 * each a file of its own: reasons, a banner, a scale of words, other languages, the page's own buttons.
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
  /** Its source map, as JSON. No file has a comment that names it: that would be bytes in every page. */
  readonly map: string;
}

export interface SdkBuild {
  /** The script for a tag. */
  readonly script: SdkFile;
  /** ES modules for bundlers: with the widget, and without. */
  readonly module: SdkFile;
  readonly headless: SdkFile;
  /** What script and module fetch when a survey is about to be shown. */
  readonly widget: SdkFile;
  /** What the widget fetches on a page that is not English: which languages there are, and one of these. */
  readonly languages: SdkFile;
  readonly words: readonly SdkFile[];
  /** What is fetched where a survey has texts in several languages. */
  readonly locales: SdkFile;
  /** The widget without what thumbs share with it, and what they share: fetched with thumbs, if the widget is not there. */
  readonly bare: SdkFile;
  readonly kit: SdkFile;
  /** What is fetched where a survey of type `thumbs` is bound to a message, and where one is asked. */
  readonly thumbs: SdkFile;
  readonly asked: SdkFile;
  /** What the widget fetches once a survey is shown: for a follow-up question, and for thanks. */
  readonly followUp: SdkFile;
  /** What widget and thumbs fetch where a survey has reasons. */
  readonly chips: SdkFile;
  /** What thumbs fetch where a thumb down asks for more. */
  readonly more: SdkFile;
  /** And for a banner, or a scale of words. */
  readonly looks: SdkFile;
  /** What is fetched, with thumbs, where a message is bound to buttons of the page's own. */
  readonly own: SdkFile;
  /** What is fetched where the service lists a survey with pages or an event. */
  readonly conditions: SdkFile;
  /** What a developer's page fetches. */
  readonly debug: SdkFile;
}

const SPOKEN = readdirSync(`${SOURCE}${LANGUAGES}`).sort();
const wordsName = (file: string): string => `words-${basename(file, '.ts')}.js`;

/** Stable names of what the modules fetch when it is needed. */
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

/** Leaves the dynamic imports of these sources to be fetched from beside the file that is built. */
const beside = (files: Readonly<Record<string, SdkFile>>): Plugin => ({
  name: 'beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, kind }) => {
      const file = kind === 'dynamic-import' ? files[basename(path, '.ts')] : undefined;
      return file && { path: `./${file.hashedName}`, external: true };
    });
  },
});

/** As long as the name in whose place it comes (client/parts.ts), so that the source map holds. */
const NOT_TO_BE_BUNDLED = '/*@vite-ignore*//*webpackIgnore:true*/';

/**
 * Members that no page sees, no module exports and no storage keeps, by what they are called in every file that is built:
 * a to z, and on from A, which is some 200 bytes of client and thumbs.
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
    // Source maps name sources from here, wherever the files are written.
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
  // Its names start anew in each function, so functions look alike and gzip finds more: some 140 bytes of 7,900.
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

/** Builds in memory; the same sources give the same bytes. */
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
  // One hash for all, so that the client need not carry several.
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

/** The sizes after gzip as lines of text. */
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
    line('what follows a rating', gzipBytes(followUp), BUDGET.after),
    line('reasons', gzipBytes(chips)),
    line('a banner, or words', gzipBytes(looks)),
    line('another language, at most', gzipBytes(languages) + Math.max(...words.map(gzipBytes))),
    line('texts in languages', gzipBytes(locales)),
    line('what thumbs share', gzipBytes(kit)),
    line('thumbs', gzipBytes(thumbs)),
    line('client and thumbs', chat, BUDGET.together),
    line('what thumbs ask besides', gzipBytes(more)),
    line('thumbs that are asked', gzipBytes(asked)),
    line('a chat that asks surveys', chat + gzipBytes(bare), BUDGET.chat),
    line('widget first, then thumbs', client + shown + gzipBytes(thumbs), BUDGET.chat),
    line('buttons of the page', gzipBytes(own)),
    line('pages and events', gzipBytes(conditions)),
    line('debug and preview', gzipBytes(debug)),
  ].join('\n');
}
