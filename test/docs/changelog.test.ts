/** docs/releasing.md: a chapter of the changelog begins with what to do before and after an upgrade. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const HEADINGS = ['Before an upgrade', 'After an upgrade', 'Changes'];

/** What is wrong with each chapter but the first version's, which nobody upgraded to; one of no changes is empty. */
function wrongIn(changelog: string): string[] {
  const chapters = changelog.split(/^## /m).slice(1, -1);
  return chapters.flatMap((chapter) => {
    const [title = '', ...lines] = chapter.trim().split('\n');
    const said = lines.filter((line) => line !== '');
    if (said.length === 0) return [];
    const headings = said.filter((line) => /^\*\*[^*]+\*\*$/.test(line)).map((line) => line.slice(2, -2));
    const steps =
      chapter.slice(chapter.indexOf('**Changes**')).match(/\*\*(Before|After) an\s+upgrade\*\*/g) ?? [];
    return [
      ...(headings.join() === HEADINGS.join() && said[0] === `**${HEADINGS[0]}**`
        ? []
        : [`${title}: ${headings.join(', ')}`]),
      ...steps.map((step) => `${title}: ${step.replaceAll(/\s+/g, ' ')} among its changes`),
    ];
  });
}

const aChapter = (...headings: string[]) =>
  headings.map((heading) => `**${heading}**\n\n- Something.\n\n`).join('');
const changelogOf = (unreleased: string) =>
  `# Changelog\n\n## Unreleased\n\n${unreleased}## 0.1.0\n\n- The first.\n`;

describe('a chapter of the changelog', () => {
  it('begins with what to do before an upgrade, and what after it', () => {
    expect(wrongIn(readFileSync('CHANGELOG.md', 'utf8'))).toEqual([]);
  });

  it.each([
    ['one of them is missing', aChapter('Before an upgrade', 'Changes')],
    ['they are in another order', aChapter('After an upgrade', 'Before an upgrade', 'Changes')],
    ['something stands before them', `- A change.\n\n${aChapter(...HEADINGS)}`],
    ['a step hides among the changes', `${aChapter(...HEADINGS)}- X. **Before an\n  upgrade** do y.\n\n`],
  ])('is refused where %s', (_what, chapter) => {
    expect(wrongIn(changelogOf(chapter))).toHaveLength(1);
  });

  it('of nothing yet is empty', () => {
    expect(wrongIn(changelogOf(''))).toEqual([]);
  });
});
