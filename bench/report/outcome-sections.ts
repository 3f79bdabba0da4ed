/** Sections on what came of it: goals, and what changed. */

import { type Before, comparison } from './figures.ts';
import { goalsTable } from './goals.ts';
import type { RunFigures } from './run-figures.ts';
import type { Section } from './section.ts';

export function goalsSection(figures: RunFigures): Section {
  return {
    title: 'Goals',
    text: [
      'What stands between a missed goal and the floor: docs/decisions/0041-cold-start.md, 0043-prepared-calls.md.',
    ],
    tables: [goalsTable(figures)],
  };
}

export function comparisonSection(figures: RunFigures, before: Before): Section {
  const title = 'Against the last committed run';
  if ('missing' in before) return { title, text: [`Not compared: ${before.missing}.`], tables: [] };
  const table = comparison(figures, before);
  if (table.rows.length === 0) {
    return { title, text: [`Nothing changed by more than a tenth since ${before.date}.`], tables: [] };
  }
  return { title, text: ['What changed by more than a tenth, came or went.'], tables: [table] };
}
