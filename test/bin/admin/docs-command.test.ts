import { expect, it } from 'vitest';
import { readDocs } from '../../../bin/admin/docs-command.ts';

const DOCS = new URL('../../../docs/', import.meta.url);

it('lists the pages with their titles when no name is given', () => {
  expect(readDocs(DOCS, undefined)).toMatch(/^contract +The contract$/m);
});

it.each([['contract'], ['docs/contract.md'], ['contract.md']])('prints a whole page for %s', (asked) => {
  expect(readDocs(DOCS, asked)).toMatch(/^# The contract\n/);
});

it.each([
  ['runbook', '## Runbook'],
  ['operations#scores-late', '### Scores late'],
  ['docs/operations.md#scores-late', '### Scores late'],
  ['decision-23-destinations', '## Decision 23: destinations'],
  ['decisions/0020-scores#decision-23-destinations', '## Decision 23: destinations'],
])('prints one section with its subsections for %s', (asked, heading) => {
  const [first, ...lines] = readDocs(DOCS, asked).split('\n');
  expect(first).toBe(heading);
  const level = heading.indexOf(' ');
  expect(lines.filter((line) => /^#+ /.test(line) && line.indexOf(' ') <= level)).toEqual([]);
});

it('does not end a section at a comment in a code block', () => {
  expect(readDocs(DOCS, 'releasing#steps')).toContain('npm audit signatures');
});

it.each([['runbok'], ['operations#scores-lat'], ['../package.json'], ['contract#']])(
  'finds %s only as the name of a page or section',
  (asked) => {
    if (asked === 'contract#') expect(readDocs(DOCS, asked)).toMatch(/^# The contract/);
    else expect(() => readDocs(DOCS, asked)).toThrow('There is no page or section');
  },
);
