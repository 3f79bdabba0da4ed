/** What the console is made of: built when it is first asked for, and in bundles before they are deployed. */

import { once } from '../../shared/domain/memory.ts';
import type { ConsoleFile, ConsoleNames } from './console-file.ts';

/** Only in bundles, where bin/build/function-bundles.ts has put them in place of the names: JSON. */
declare const BUILT_CONSOLE_NAMES: string;
declare const BUILT_CONSOLE_FILES: string;

type Files = Readonly<Record<string, ConsoleFile>>;

/** The module that builds is in no bundle: there the condition is known, and the branch falls away. */
const build = /* @__PURE__ */ once(() =>
  typeof BUILT_CONSOLE_NAMES === 'string'
    ? Promise.reject(new Error('the console is built already'))
    : import('./build-console.ts').then(({ buildConsole }) => buildConsole()),
);

export async function consoleNames(): Promise<ConsoleNames> {
  return typeof BUILT_CONSOLE_NAMES === 'string' ? JSON.parse(BUILT_CONSOLE_NAMES) : (await build()).names;
}

async function readFiles(): Promise<Files> {
  return typeof BUILT_CONSOLE_FILES === 'string' ? JSON.parse(BUILT_CONSOLE_FILES) : (await build()).files;
}

/** Every file, by its name. Marked, or the bundle that needs the names alone would have all files. */
export const consoleFiles = /* @__PURE__ */ once(async () => new Map(Object.entries(await readFiles())));
