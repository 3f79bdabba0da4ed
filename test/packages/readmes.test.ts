/** What the READMEs for pages show can be copied: it passes a type checker and a bundler in an app that has the packages. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { freshApp } from './support/fresh-app.ts';
import { typeErrors } from './support/typed-app.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const READMES = ['README.md', 'sdk/browser/README.md', 'sdk/react/README.md'];
const app = freshApp({ packages: ['browser', 'react'], others: ['react', '@types/react'] });

/** What an app has of its own: a dialog. */
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

it('each shows something', () => {
  expect(new Set(snippets.map(({ readme }) => readme))).toEqual(new Set(READMES));
});

describe.each(snippets)('$readme, snippet $number', ({ name, text }) => {
  it('passes a type checker and a bundler', async () => {
    expect(typeErrors(app, { [name]: text, 'around.d.ts': AROUND })).toBe('');
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
