import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildSdk, filesOf } from '../../sdk/build-browser.ts';
import type { DemoProject } from './demo-project.ts';

const path = (name: string): string => fileURLToPath(new URL(`page/${name}`, import.meta.url));

type Text = () => Promise<string>;

/** The files of the demo's pages, by name, built when they are first asked for: starting must not wait for them. */
export interface DemoFiles {
  readonly html: (name: string) => Text;
  readonly style: (name: string) => Text;
  readonly script: (name: string) => Text;
  readonly module: Text;
  /** Of the SDK's further files, by stable name. */
  readonly fetched: (name: string) => Text;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

export function createDemoFiles({ publishableKey }: DemoProject): DemoFiles {
  const sdk = once(async () => {
    const files = await buildSdk();
    const stable = (text: string) =>
      filesOf(files).reduce(
        (named, { hashedName, stableName }) => named.replaceAll(hashedName, stableName),
        text,
      );
    return new Map(filesOf(files).map(({ stableName, text }) => [stableName, stable(text)]));
  });
  const file = (name: string) => async () => (await sdk()).get(name) ?? '';
  const settings = escaped(JSON.stringify({ publishableKey }));
  return {
    html: (name) =>
      once(async () =>
        (await readFile(path(`${name}.html`), 'utf8')).replace('{{settings}}', () => settings),
      ),
    style: (name) => once(() => readFile(path(`${name}.css`), 'utf8')),
    script: (name) =>
      once(async () => {
        const { outputFiles } = await build({
          entryPoints: [path(`${name}.ts`)],
          bundle: true,
          write: false,
          format: 'esm',
          target: 'es2022',
        });
        return outputFiles[0]?.text ?? '';
      }),
    module: file('canvass.mjs'),
    fetched: file,
  };
}
