/** `canvass docs`, over the pages of this project. */

import { expect, it } from 'vitest';
import { readDocs } from '../../../bin/admin/docs-command.ts';

const DOCS = new URL('../../../docs/', import.meta.url);

it('without a name lists the pages with their titles', () => {
  expect(readDocs(DOCS, undefined)).toMatch(/^contract +The contract$/m);
});

it.each([['contract'], ['docs/contract.md'], ['contract.md']])('%s is a whole page', (asked) => {
  expect(readDocs(DOCS, asked)).toMatch(/^# The contract\n/);
});

it.each([
  ['runbook', '## Runbook'],
  ['operations#scores-late', '### Scores late'],
  ['docs/operations.md#scores-late', '### Scores late'],
  ['decision-23-destinations', '## Decision 23: destinations'],
  ['decisions/0020-scores#decision-23-destinations', '## Decision 23: destinations'],
])('%s is one section with what is below it', (asked, heading) => {
  const [first, ...lines] = readDocs(DOCS, asked).split('\n');
  expect(first).toBe(heading);
  const level = heading.indexOf(' ');
  const above = lines.filter((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  expect(above).toEqual([]);
});

it('a comment in a block of code ends no section', () => {
  expect(readDocs(DOCS, 'releasing#steps')).toContain('npm audit signatures');
});

it.each([['runbok'], ['operations#scores-lat'], ['../package.json'], ['contract#']])(
  '%s is a page or section that is looked for by name alone',
  (asked) => {
    if (asked === 'contract#') expect(readDocs(DOCS, asked)).toMatch(/^# The contract/);
    else expect(() => readDocs(DOCS, asked)).toThrow('There is no page or section');
  },
);
