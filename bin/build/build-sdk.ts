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
 * Gzipped bytes that a page loads before it shows a survey. `chat` is client and thumbs; `after` is loaded once a
 * survey is shown. Parts that few pages need are not counted.
 */
export const BUDGET = {
  client: 3 * 1_024,
  together: 8 * 1_024,
  chat: 11 * 1_024,
  after: 3.125 * 1_024,
} as const;

export interface SdkFile {
  readonly stableName: string;
  hashedName: string;
  readonly source: string;
  readonly text: string;
  /** To save bytes, files do not refer to their source map. */
  readonly map: string;
}

export type SdkBuild = Awaited<ReturnType<typeof buildSdk>>;

export const filesOf = (files: SdkBuild): SdkFile[] => Object.values(files).flat();

export const gzipBytes = ({ text }: SdkFile): number => gzipSync(text, { level: 9 }).length;

/** Keeps dynamic imports as separate files. */
const beside = (...files: readonly SdkFile[]): Plugin => ({
  name: 'beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, kind }) => {
      const file = files.find(({ source }) => kind === 'dynamic-import' && source === basename(path, '.ts'));
      return file && { path: `./${file.hashedName}`, external: true };
    });
  },
});

/** Has the length of the text that it replaces (client/modules.ts), so that the source map stays correct. */
const NOT_TO_BE_BUNDLED = '/*@vite-ignore*//*webpackIgnore:true*/';

/**
 * Members that pages, exports and storage do not use. Short names save about 200 bytes, and this order of them, found
 * by trying, another 20.
 */
const SHORT_NAMES = Object.fromEntries(
  (
    'post createOutbox data view ask host visit voice fetch ofToken put flush isSeen read emit ' +
    'markOf refusal update forget place retryMs person dueIn bound spoken element eligibility ' +
    'messageOf resume isOpen latest messages endAsk createBox keep askMore panel meaning reply ' +
    'placeOf isTheirs hear drawing wentBack say load list deliver turn press endMore direction'
  )
    .split(' ')
    .map((name, at) => [name, String.fromCharCode(at < 26 ? 97 + at : 39 + at)]),
);

async function bundle(entry: string, name: string, options: BuildOptions = {}): Promise<SdkFile> {
  const { outputFiles } = await build({
    entryPoints: [`${SOURCE}${entry}`],
    bundle: true,
    minify: true,
    // Source maps are relative to this folder.
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
  // This minifier restarts names in each function, so functions are similar. That saves about 140 of 7,900 bytes after
  // gzip.
  const { code, map, errors } = minifySync(name, textOf('.js'), {
    module: true,
    compress: true,
    mangle: true,
    sourcemap: true,
    inputMap: JSON.parse(textOf('.map')),
  });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const text = code.replace('unknownToBundlersUntilTheBrowserSaysIt', NOT_TO_BE_BUNDLED);
  const hashedName = nameWith(hashOf(text), name);
  return { stableName: name, hashedName, source: basename(entry, '.ts'), text, map: JSON.stringify(map) };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
const nameWith = (hash: string, stableName: string): string => stableName.replace('.', `-${hash}.`);

export async function buildSdk() {
  const words = await Promise.all(
    readdirSync(`${SOURCE}${LANGUAGES}`)
      .sort()
      .map((file) => bundle(`${LANGUAGES}${file}`, `words-${basename(file, '.ts')}.js`)),
  );
  const languages = await bundle('widget/languages.ts', 'languages.js', { plugins: [beside(...words)] });
  const locales = await bundle('widget/locales.ts', 'locales.js');
  const questionTexts = await bundle('widget/question-texts.ts', 'question-texts.js');
  const chips = await bundle('widget/chips.ts', 'chips.js', { plugins: [minifiedCss] });
  const focus = await bundle('widget/hush.ts', 'hush.js');
  const withChips = { plugins: [minifiedCss, beside(chips, focus)] };
  const followUp = await bundle('widget/follow-up.ts', 'follow-up.js', withChips);
  const questions = await bundle('widget/questions.ts', 'questions.js', {
    plugins: [minifiedCss, beside(chips)],
  });
  const more = await bundle('thumbs/more.ts', 'more.js', withChips);
  const lost = await bundle('widget/lost.ts', 'lost.js', { plugins: [minifiedCss] });
  const opener = await bundle('client/opener.ts', 'opener.js');
  const looks = await bundle('widget/looks.ts', 'looks.js', { plugins: [minifiedCss] });
  const unscaled = await bundle('widget/unscaled.ts', 'unscaled.js', {
    plugins: [minifiedCss, beside(followUp, focus)],
  });
  const plugins = [
    minifiedCss,
    beside(languages, locales, questionTexts, followUp, questions, more, looks, unscaled, lost),
  ];
  const fetched = await Promise.all([
    bundle('widget/widget.ts', 'widget.js', { plugins }),
    // The widget without the code that it shares with thumbs.
    bundle('widget/bare.ts', 'bare.js', { plugins }),
    bundle('client/kit.ts', 'kit.js', { plugins }),
    bundle('client/debug.ts', 'debug.js'),
    bundle('client/conditions.ts', 'conditions.js', { plugins: [beside(opener)] }),
    bundle('client/refused.ts', 'refused.js', { plugins }),
    // Thumbs on messages, as a survey, or as the page's buttons.
    bundle('thumbs/thumbs.ts', 'thumbs.js', { plugins }),
    bundle('thumbs/thumbs-survey.ts', 'asked.js', { plugins }),
    bundle('thumbs/own-buttons.ts', 'own.js', { plugins }),
  ]);
  // With one hash for all of these files, the client stays small.
  const hash = hashOf(fetched.map(({ text }) => text).join(''));
  for (const file of fetched) file.hashedName = nameWith(hash, file.stableName);
  const [widget, bare, kit, debug, conditions, refused, thumbs, asked, own] = fetched;
  const parts = { plugins: [beside(...fetched, locales, questionTexts, lost)] };
  const define = { BUILD: JSON.stringify(hash) };
  const [script, module, headless] = await Promise.all([
    bundle('script.ts', 'canvass.js', { format: 'iife', define }),
    bundle('canvass.ts', 'canvass.mjs', parts),
    bundle('headless.ts', 'headless.mjs', parts),
  ]);
  return {
    ...{ script, module, headless, widget, bare, kit, languages, locales, questionTexts, words },
    ...{
      thumbs,
      asked,
      own,
      followUp,
      questions,
      chips,
      focus,
      more,
      looks,
      unscaled,
      lost,
      conditions,
      opener,
      refused,
      debug,
    },
  };
}

export function sizeReport(files: SdkBuild): string {
  const bytes = (...loaded: readonly SdkFile[]) => loaded.reduce((sum, file) => sum + gzipBytes(file), 0);
  const { script, widget, kit, thumbs } = files;
  const line = (what: string, size: number, budget?: number) => {
    const share = budget ? ` of ${budget}, ${((100 * size) / budget).toFixed(1)} %` : '';
    return `${what.padEnd(26)}${`${size}`.padStart(6)} bytes${share}`;
  };
  return [
    line('client (script tag)', bytes(script), BUDGET.client),
    line('client (module)', bytes(files.module), BUDGET.client),
    line('client, headless', bytes(files.headless)),
    line('widget', bytes(widget)),
    line('client and widget', bytes(script, widget), BUDGET.together),
    line('after a rating', bytes(files.followUp), BUDGET.after),
    line('reasons', bytes(files.chips)),
    line('banner or word scale', bytes(files.looks)),
    line('choices or a text', bytes(files.unscaled)),
    line('another language, at most', bytes(files.languages) + Math.max(...files.words.map(gzipBytes))),
    line('localized surveys', bytes(files.locales)),
    line('shared with thumbs', bytes(kit)),
    line('thumbs', bytes(thumbs)),
    line('client and thumbs', bytes(script, kit, thumbs), BUDGET.together),
    line('more questions of thumbs', bytes(files.more)),
    line('thumbs when shown', bytes(files.asked)),
    line('chat with surveys', bytes(script, kit, thumbs, files.bare), BUDGET.chat),
    line('widget first, then thumbs', bytes(script, widget, thumbs), BUDGET.chat),
    line('own buttons', bytes(files.own)),
    line('pages and events', bytes(files.conditions)),
    line('feedback button', bytes(files.conditions, files.opener)),
    line('a refused answer', bytes(files.refused, files.lost)),
    line('debug and preview', bytes(files.debug)),
  ].join('\n');
}
