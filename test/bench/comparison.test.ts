/** What a run is compared with, and what is shown of it. */

import { describe, expect, it } from 'vitest';
import { comparison, parseFigures, readCommitted, storedText } from '../../bench/report/figures.ts';
import { comparisonSection } from '../../bench/report/outcome-sections.ts';

const DATE = '2026-11-20';

describe('the run before', () => {
  it('is what the last commit has', () => {
    const stored = { date: DATE, figures: { a: 1 } };
    const shown: string[] = [];
    const before = readCommitted((path) => {
      shown.push(path);
      return storedText(stored);
    });
    expect(before).toEqual(stored);
    expect(shown).toEqual(['docs/performance.json']);
  });

  it('may be missing, and the report says so', () => {
    const before = readCommitted(() => {
      throw new Error('exists on disk, but not in HEAD');
    });
    expect(before).toEqual({ missing: 'no docs/performance.json is committed' });
    expect(comparisonSection({}, before).text).toEqual([
      'Not compared: no docs/performance.json is committed.',
    ]);
  });

  it.each(['', '{', '{"date": "2026-11-20"}', '{"date":"2026-11-20","figures":{"a":null}}'])(
    'may be broken (%s), and the report says so',
    (text) => {
      expect(parseFigures(text)).toEqual({ missing: 'the committed docs/performance.json cannot be read' });
    },
  );
});

it('what is no number is not stored', () => {
  const figures = { a: 1, b: Number.NaN, c: Number.POSITIVE_INFINITY };
  expect(parseFigures(storedText({ date: DATE, figures }))).toEqual({ date: DATE, figures: { a: 1 } });
});

describe('a figure', () => {
  const compare = (old: Record<string, number>, now: Record<string, number>) =>
    comparison(now, { date: DATE, figures: old }).rows;

  it.each([
    [10, 10],
    [10, 11],
    [10, 9],
    [0.1, 0.11],
    [0, 0],
  ])('that went from %d to %d, a tenth at most, is not shown', (old, now) => {
    expect(compare({ a: old }, { a: now })).toEqual([]);
  });

  it.each([
    [10, 11.2, '+12 %'],
    [10, 8, '-20 %'],
    [0, 3, 'from zero'],
    [3, 0, '-100 %'],
  ])('that went from %d to %d is shown: %s', (old, now, change) => {
    expect(compare({ a: old }, { a: now }).map((row) => row[3])).toEqual([change]);
  });

  it('that is new or gone is shown, also one that is no number any more', () => {
    expect(compare({ old: 1, lost: 2 }, { fresh: 3, lost: Number.NaN })).toEqual([
      ['fresh', '–', '3.00', 'new'],
      ['lost', '2.00', '–', 'gone'],
      ['old', '1.00', '–', 'gone'],
    ]);
  });

  it('that was never a number is not shown', () => {
    expect(compare({}, { a: Number.NaN })).toEqual([]);
  });
});
