/** Finds patterns of unclear English in docs, comments and test titles. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const CODE = '{bench,bin,functions,lib,local,pages,sdk,shared,test,examples}/**/*.{ts,tsx}';
const DOCS = '{*.md,{docs,sdk,lib,examples,bench}/**/*.md}';
const EXCLUDED = ['**/node_modules/**', '**/dist/**', '**/languages/**'];

const ODD: readonly RegExp[] = [
  // A statement that begins with a bare clause.
  /(?:^|[.:] )(?:Who|What|Where) (?!if\b)[^.?!|]*(?:[.!|]|$)/,
  /\bunless (?:it |they )?sa(?:id|ys?)\b/,
  /\bof before\b/,
  /\banew\b/,
  /\bthat (?:is|are) none\b/,
  /\bis told of\b/,
  /\bso many of\b/,
  /\b(?:colour|behaviour|centre|organis(?:e|ation)|licences?|synthesise|recognise)\w*\b/i,
];

interface Line {
  readonly at: number;
  readonly text: string;
}

const COMMENT = /^\s*(?:\/\*\*|\*(?!\/)|\/\/)\s?(.*?)(?:\s*\*\/)?$|\s\/\/ (.*)$/;
const TITLE = /\b(?:describe|it|test)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])(.*?)\1/;

/** Comments and titles. Sentences of several comment lines are joined. */
function wordsOfCode(text: string): Line[] {
  const found: Line[] = [];
  let open: { at: number; text: string } | undefined;
  text.split('\n').forEach((line, index) => {
    const comment = COMMENT.exec(line);
    if (comment !== null) {
      const words = comment[1] ?? comment[2] ?? '';
      if (open === undefined || words === '' || words.startsWith('@') || words.startsWith('- ')) {
        open = { at: index + 1, text: words };
        found.push(open);
      } else open.text += ` ${words}`;
      return;
    }
    open = undefined;
    const title = TITLE.exec(line);
    if (title?.[2] !== undefined) found.push({ at: index + 1, text: title[2] });
  });
  return found;
}

/** Prose without code, link targets and headings. */
function wordsOfDocs(text: string): Line[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, (block) => block.replaceAll(/[^\n]/g, ''));
  const found: { at: number; text: string }[] = [];
  prose.split('\n').forEach((line, index, lines) => {
    if (line.startsWith('#')) return;
    const before = lines[index - 1] ?? '';
    const isNew = before === '' || before.startsWith('#') || /^\s*(?:[-*|]|\d+\.) ?/.test(line);
    const words = line.replace(/^\s*(?:[-*|]|\d+\.)\s*/, '');
    const last = found.at(-1);
    if (isNew || last === undefined) found.push({ at: index + 1, text: words });
    else last.text += ` ${words.trim()}`;
  });
  return found;
}

const plain = (text: string) => text.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']');

function oddIn(lines: readonly Line[]): string[] {
  return lines.flatMap(({ at, text }) =>
    ODD.flatMap((pattern) => {
      const [match] = pattern.exec(plain(text)) ?? [];
      return match === undefined ? [] : [`${at}: ${match.slice(0, 90)}`];
    }),
  );
}

const filesOf = (pattern: string) => globSync(pattern, { cwd: ROOT, exclude: EXCLUDED });

it('comments, test titles and docs are free of known odd patterns', () => {
  const self = join('test', 'docs', 'plain-english.test.ts');
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const found = [
    ...filesOf(CODE)
      .filter((path) => path !== self)
      .flatMap((path) => oddIn(wordsOfCode(read(path))).map((odd) => `${path}:${odd}`)),
    ...filesOf(DOCS).flatMap((path) => oddIn(wordsOfDocs(read(path))).map((odd) => `${path}:${odd}`)),
  ];
  expect(found).toEqual([]);
});

it.each([
  '// Who asks for more gets it.',
  '/** The project. What has ended is gone. */',
  '// All of them unless said.',
  '// Projects of before.',
  '// Begins anew.',
  "it('refuses a key that is none', () => {});",
  '// The color, or colour.',
])('reports %s', (text) => {
  expect(oddIn(wordsOfCode(text))).toHaveLength(1);
});

it('allows questions and code', () => {
  expect(oddIn(wordsOfDocs('What is canvass? It is `colour`.\n\n```\nunless said\n```'))).toEqual([]);
});
