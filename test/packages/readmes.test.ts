import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { NPM_PACKAGES, SCOPE } from '../../bin/build/packages.ts';
import { freshApp, RESOLUTIONS, typeErrors } from './support/fresh-app.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const READMES = ['README.md', 'sdk/browser/README.md', 'sdk/react/README.md', 'sdk/server/README.md'];
const app = freshApp({
  packages: ['browser', 'react', 'server'],
  others: ['react', '@types/react', '@types/node'],
});

const AROUND = `
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

const snippets = READMES.flatMap((readme) =>
  [...readFileSync(join(ROOT, readme), 'utf8').matchAll(/^```(tsx?)\n(.*?)^```/gms)].map(
    ([, language, text = ''], at) => ({ readme, number: at + 1, name: `snippet.${language}`, text }),
  ),
);

it('finds a snippet in each README', () => {
  expect(new Set(snippets.map(({ readme }) => readme))).toEqual(new Set(READMES));
});

describe.each(snippets)('$readme, snippet $number', ({ readme, name, text }) => {
  it('passes a type checker and a bundler', async () => {
    const options = { ...RESOLUTIONS[0], types: readme === 'sdk/server/README.md' ? ['node'] : [] };
    expect(typeErrors(app, { [name]: text, 'around.d.ts': AROUND }, options)).toBe('');
    const bundled = build({
      stdin: { contents: text, resolveDir: app, loader: 'tsx' },
      bundle: true,
      splitting: true,
      format: 'esm',
      jsx: 'automatic',
      outdir: join(app, 'out'),
      write: false,
    });
    await expect(bundled).resolves.toMatchObject({ errors: [], warnings: [] });
  });
});

function withTheirs(names: readonly string[]): readonly string[] {
  const theirs = names.flatMap((name) => {
    const built = NPM_PACKAGES.find((each) => `${SCOPE}/${each.name}` === name);
    const file = join(ROOT, built?.folder ?? '', 'package.json');
    return ours(JSON.parse(readFileSync(file, 'utf8')).dependencies);
  });
  return [...new Set([...names, ...theirs])].toSorted();
}

const ours = (dependencies: object = {}): string[] =>
  Object.keys(dependencies).filter((name) => name.startsWith(`${SCOPE}/`));

it.each(globSync('examples/*/package.json', { cwd: ROOT }))('packs what the example of %s needs', (file) => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const readme = readFileSync(join(ROOT, dirname(file), 'README.md'), 'utf8');
  const packed = [...readme.matchAll(/ -w (\S+)/g)].map(([, name]) => name);
  expect(packed.toSorted()).toEqual(withTheirs(ours(dependencies)));
});
