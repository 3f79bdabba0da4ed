/** What CONTRIBUTING.md says is so: the tree's folders, the groups of decisions, any Node from 20 on. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const GUIDE = readFileSync('CONTRIBUTING.md', 'utf8');

/** Folders that git knows of; those that it ignores are made. */
function foldersIn(path: string): string[] {
  const ignored = readFileSync('.gitignore', 'utf8').split('\n');
  return readdirSync(path, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !ignored.includes(`${entry.name}/`),
    )
    .map(({ name }) => name);
}

it('the layout names every folder, and no other', () => {
  const layout = GUIDE.slice(GUIDE.indexOf('## Layout'), GUIDE.indexOf('## House rules'));
  const named = [...layout.matchAll(/^\| `([\w/]+)`/gm)].map(([, folder]) => folder);
  const folders = foldersIn('.').filter((folder) => folder !== 'shared' && folder !== 'node_modules');
  const shared = foldersIn('shared').map((folder) => `shared/${folder}`);
  expect(named.sort()).toEqual([...folders, ...shared].sort());
});

it('every decision is of a group that is named', () => {
  const groups = new Set(GUIDE.slice(GUIDE.indexOf('## Decisions')).match(/\b0\d{2}[01]\b/g));
  const tens = (number: string) => `${number.slice(0, 3)}${number.startsWith('000') ? 1 : 0}`;
  const decisions = readdirSync('docs/decisions').map((name) => name.slice(0, 4));
  expect(decisions.filter((number) => !groups.has(tens(number)))).toEqual([]);
});

it('documents run programs of the project with its own Node, since an older one knows no TypeScript', () => {
  const documents = ['.', 'docs'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  );
  const commands = documents.flatMap((text) => text.match(/^.*\bnode bin\/\S+\.ts.*$/gm) ?? []);
  expect(commands.filter((command) => !command.includes('npm exec -- node'))).toEqual([]);
  expect(commands.length).toBeGreaterThan(0);
});
