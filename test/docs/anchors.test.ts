/** References in documents and comments exist: contract sections, decisions, files and headings. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const CONTRACT = 'docs/contract.md';
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'lib/README.md', 'sdk/*/README.md', 'examples/*/README.md'];
const CODE = ['bench', 'bin', 'functions', 'lib', 'local', 'pages', 'sdk', 'shared', 'test'].map(
  (folder) => `${folder}/**/*.ts`,
);

/** A reference may continue on the next line of a comment, after spaces, line ends and `*` or `//`. */
const GAP = String.raw`[\s*/]*`;
/** A section, optionally with rows of its table. */
const SECTION = String.raw`§\d+(?:\.\d+)?(?:,? rows? \d+(?: (?:and|to) \d+)?)?`;
const SEPARATOR = `(?:,?${GAP}(?:and|to)\\b|,)`;
/** `docs/contract.md §5`, and lists such as `docs/contract.md §5.1, §7 and §9`. */
const CITATION = new RegExp(
  `${CONTRACT.replace('.', '\\.')}${GAP}(${SECTION}(?:${SEPARATOR}${GAP}${SECTION})*)`,
  'g',
);
const LINK = /\]\(([^)\s]+)[^)]*\)|\b(?:src|srcset|href)="([^"]+)"/g;

type ReadFile = (path: string) => string | undefined;

/** The text of a file, by its path from the repository's root. Folders have empty texts. */
const readFile: ReadFile = (path) => {
  if (!existsSync(join(ROOT, path))) return undefined;
  return path.endsWith('.md') || path.endsWith('.ts') ? readFileSync(join(ROOT, path), 'utf8') : '';
};

const filesIn = (patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => path === 'docs/site' }).map((path) =>
    path.replaceAll('\\', '/'),
  );

const withoutFences = (markdown: string): string => markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');

const headingsOf = (markdown: string): string[] =>
  [...withoutFences(markdown).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => heading.trim());

/** Anchors that GitHub generates for headings. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const heading of headingsOf(markdown)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    let unique = anchor;
    for (let again = 1; anchors.has(unique); again++) unique = `${anchor}-${again}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Sections of the contract by number: `4` and `4.2`. */
const sectionsOf = (contract: string): Set<string> =>
  new Set(headingsOf(contract).flatMap((heading) => /^(\d+(?:\.\d+)?)\.? /.exec(heading)?.[1] ?? []));

/** Contract sections that a text cites. Within the contract, every section sign counts. */
function citedSections(path: string, text: string): string[] {
  const cited = path === CONTRACT ? text : [...text.matchAll(CITATION)].map(([, list]) => list).join(' ');
  return [...cited.matchAll(/§(\d+(?:\.\d+)?)/g)].map(([, section = '']) => section);
}

/** Relative links of a document whose targets do not exist. */
function brokenLinks(path: string, markdown: string, read: ReadFile): string[] {
  const prose = withoutFences(markdown).replaceAll(/`[^`]*`/g, '');
  return [...prose.matchAll(LINK)].flatMap(([, inText, inTag]) => {
    const link = inText ?? inTag ?? '';
    if (/^[a-z]+:/i.test(link)) return [];
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? markdown : read(join(dirname(path), file));
    const isThere = target !== undefined && (anchor === undefined || anchorsOf(target).has(anchor));
    return isThere ? [] : [`${path}: ${link}`];
  });
}

describe('citations of the contract', () => {
  const sections = sectionsOf(readFile(CONTRACT) ?? '');

  it('name existing sections', () => {
    const missing = filesIn([...CODE, ...DOCUMENTS])
      .filter((path) => path !== 'test/docs/anchors.test.ts')
      .flatMap((path) =>
        citedSections(path, readFile(path) ?? '')
          .filter((section) => !sections.has(section))
          .map((section) => `${path}: §${section}`),
      );
    expect(missing).toEqual([]);
  });

  it('are found alone, in lists and across line breaks', () => {
    expect(citedSections('a.ts', '/** See docs/contract.md §4.2, row 9. RFC 9110 §12.5 */')).toEqual(['4.2']);
    expect(citedSections('a.ts', '(docs/contract.md §3, §4.2 and §7)')).toEqual(['3', '4.2', '7']);
    expect(citedSections('a.ts', 'docs/contract.md §4.2, rows 1 and 2, and §5.1')).toEqual(['4.2', '5.1']);
    expect(citedSections('a.ts', ' * as docs/contract.md\n * §6 and\n * §99 say')).toEqual(['6', '99']);
    expect(sections.has('99')).toBe(false);
  });

  it('are unambiguous: no section number appears twice', () => {
    const numbered = headingsOf(readFile(CONTRACT) ?? '').filter((heading) => /^\d/.test(heading));
    expect(sections.size).toBe(numbered.length);
  });
});

const decisions = filesIn(['docs/decisions/*.md']).flatMap((path) =>
  headingsOf(readFile(path) ?? '').flatMap((heading) => {
    const number = /^Decision (\d+): /.exec(heading)?.[1];
    return number === undefined ? [] : [{ number: Number(number), path }];
  }),
);

describe('decisions', () => {
  it('have one number each, and are on the page of their group', () => {
    const numbers = decisions.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
    const misplaced = decisions.filter(({ number, path }) => {
      const group = String(Math.max(Math.floor(number / 10) * 10, 1)).padStart(4, '0');
      return !path.startsWith(`docs/decisions/${group}-`);
    });
    expect(misplaced).toEqual([]);
  });

  it('that comments and documents cite exist', () => {
    const CITED = new RegExp(`\\bdecision${GAP}(\\d+)`, 'gi');
    const missing = filesIn([...CODE, ...DOCUMENTS]).flatMap((path) =>
      [...(readFile(path) ?? '').matchAll(CITED)]
        .filter(([, cited]) => !decisions.some(({ number }) => number === Number(cited)))
        .map(([citation]) => `${path}: ${citation}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('relative links', () => {
  it.each(filesIn(DOCUMENTS))('of %s lead to files and headings that exist', (path) => {
    expect(brokenLinks(path, readFile(path) ?? '', readFile)).toEqual([]);
  });

  it('to a missing file or heading are found', () => {
    const files: ReadFile = (path) => ({ 'docs/b.md': '# Data subjects\n\n# Data subjects' })[path];
    const text = '# Here\n[1](b.md) [2](b.md#data-subjects-1) [3](#here) [4](https://x.example) `[5](c.md)`';
    expect(brokenLinks('docs/a.md', text, files)).toEqual([]);
    const wrong = '[1](c.md) [2](b.md#nowhere) [3](#here) <img src="c.png" alt=""> <source srcset="d.webp">';
    expect(brokenLinks('docs/a.md', wrong, files)).toEqual([
      'docs/a.md: c.md',
      'docs/a.md: b.md#nowhere',
      'docs/a.md: #here',
      'docs/a.md: c.png',
      'docs/a.md: d.webp',
    ]);
  });
});
