/** Bundles contain the files; other processes build them on first use. */

import { once } from '../../shared/domain/memory.ts';
import type { ConsoleFile, ConsoleNames } from './build-console.ts';

/** JSON that bin/build/function-bundles.ts defines in bundles only. */
declare const BUILT_CONSOLE_NAMES: string;
declare const BUILT_CONSOLE_FILES: string;

type Files = Readonly<Record<string, ConsoleFile>>;

/** Constant in a bundle, so that the bundler drops the build module. */
const build = /* @__PURE__ */ once(() =>
  typeof BUILT_CONSOLE_NAMES === 'string'
    ? Promise.reject(new Error('The console is already built.'))
    : import('./build-console.ts').then(({ buildConsole }) => buildConsole()),
);

export async function consoleNames(): Promise<ConsoleNames> {
  return typeof BUILT_CONSOLE_NAMES === 'string' ? JSON.parse(BUILT_CONSOLE_NAMES) : (await build()).names;
}

async function readFiles(): Promise<Files> {
  return typeof BUILT_CONSOLE_FILES === 'string' ? JSON.parse(BUILT_CONSOLE_FILES) : (await build()).files;
}

/** Without the mark, a bundle that needs only the names would contain every file. */
export const consoleFiles = /* @__PURE__ */ once(async () => new Map(Object.entries(await readFiles())));
