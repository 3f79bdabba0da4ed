/** Finds patterns of unclear English in docs, comments, test titles and the API reference. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openapiDocument } from '../../shared/contract/openapi/openapi.ts';

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

/** A description begins with what it describes, and has no clause without a subject. */
const ODD_IN_REFERENCE: readonly RegExp[] = [
  ...ODD,
  /(?:^|[.:] )(?:Of|As|So many|When|Through which|On which|Null)\b/,
  /\bless (?:this|that)\b/,
  /\bs(?:ee|aw|een) to\b/,
  /\bwhere (?:none|nobody|the (?:project|stage))\b/,
];

interface Line {
  readonly at: number;
  readonly text: string;
}

const COMMENT = /^\s*(?:\/\*\*|\*(?!\/)|\/\/)\s?(.*?)(?:\s*\*\/)?$|\s\/\/ (.*)$/;
const DESCRIPTION = /\b(?:description|summary):\s*(['"`])(.*?)\1/s;
const TITLE = /\b(?:describe|it|test)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])(.*?)\1/;

/** Comments, titles and descriptions. Sentences of several comment lines are joined. */
function wordsOfCode(text: string): Line[] {
  const found: Line[] = [];
  let open: { at: number; text: string } | undefined;
  text.split('\n').forEach((line, index, lines) => {
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
    const title = TITLE.exec(line) ?? DESCRIPTION.exec(`${line}\n${lines[index + 1] ?? ''}`);
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

/** Descriptions and summaries of the API reference, each with its place. */
function wordsOfReference(part: unknown, at = ''): (readonly [string, string])[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]): (readonly [string, string])[] => {
    const isText = typeof value === 'string' && (name === 'description' || name === 'summary');
    return isText ? [[`${at}/${name}`, value]] : wordsOfReference(value, `${at}/${name}`);
  });
}

const plain = (text: string) => text.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']');

function oddIn(lines: readonly Line[], patterns = ODD): string[] {
  return lines.flatMap(({ at, text }) =>
    patterns.flatMap((pattern) => {
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

it('descriptions of the API reference are free of them, and of their own odd patterns', () => {
  const texts = wordsOfReference(openapiDocument());
  expect(texts.length).toBeGreaterThan(1_000);
  const found = texts.flatMap(([at, text]) =>
    oddIn([{ at: 1, text }], ODD_IN_REFERENCE).map((odd) => `${at}:${odd}`),
  );
  expect(found).toEqual([]);
});

it.each([
  ['Of the week before.'],
  ['On which the answers were given.'],
  ['When.'],
  ['Null once the answer is withdrawn.'],
  ['This score less that of the week before.'],
  ['The people who saw to it.'],
  ['Given where the project requires it.'],
])('reports the description %s', (text) => {
  expect(oddIn([{ at: 1, text }], ODD_IN_REFERENCE)).toHaveLength(1);
});

it.each(["  description: 'All of them unless said.',", "  summary:\n    'All of them unless said.',"])(
  'reads the property %j',
  (code) => {
    expect(oddIn(wordsOfCode(code))).toHaveLength(1);
  },
);

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
