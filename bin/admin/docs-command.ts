import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { didYouMean } from '../../shared/contract/did-you-mean.ts';
import { misuse } from './admin-error.ts';

/** Forms anchors in the same way as GitHub. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

interface Section {
  readonly anchor: string;
  readonly text: string;
}

function sectionsOf(page: string): readonly Section[] {
  const lines = page.split('\n');
  let isCode = false;
  const headings = lines.flatMap((line, at) => {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks, words = ''] = (!isCode && /^(#+) (.*)$/.exec(line)) || [];
    return marks === undefined ? [] : [{ at, level: marks.length, anchor: anchorOf(words) }];
  });
  return headings.map(({ at, level, anchor }, index) => {
    const next = headings.slice(index + 1).find((other) => other.level <= level);
    return { anchor, text: lines.slice(at, next?.at).join('\n').trim() };
  });
}

/**
 * @param asked a page, `operations#scores-late`, `docs/operations.md#scores-late`, or an anchor; if undefined, the
 * pages are listed
 * @throws AdminError
 */
export function readDocs(folder: URL, asked: string | undefined): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replace(/\.md$/, '').replaceAll('\\', '/'))
    .sort();
  const read = (name: string): string => readFileSync(new URL(`${name}.md`, folder), 'utf8').trim();
  if (asked === undefined) {
    const width = Math.max(...names.map(({ length }) => length));
    const titleOf = (name: string) => /^# (.*)$/m.exec(read(name))?.[1] ?? '';
    return names.map((name) => `${name.padEnd(width)}  ${titleOf(name)}`).join('\n');
  }
  const [page = '', anchor] = asked
    .replace(/^docs\//, '')
    .replace(/\.md(?=#|$)/, '')
    .split('#');
  const isPage = names.includes(page);
  if (isPage && !anchor) return read(page);
  const wanted = anchor || page;
  const pages = isPage ? [page] : names;
  const sections = pages.flatMap((name) => sectionsOf(read(name)));
  const found = sections.find((section) => section.anchor === wanted);
  if (found !== undefined) return found.text;
  const known = [...names, ...sections.map((section) => section.anchor)];
  throw misuse(
    `There is no page or section ${asked}.${didYouMean(wanted, known)} Pages: ${names.join(', ')}.`,
  );
}

export function addDocsCommand(program: Command, folder: URL): void {
  program
    .command('docs [page]')
    .description(
      'print a page of the documentation or one of its sections, such as runbook or operations#scores-late',
    )
    .action((page?: string) => void process.stdout.write(`${readDocs(folder, page)}\n`));
}
