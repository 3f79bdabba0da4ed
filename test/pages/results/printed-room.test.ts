import { describe, expect, it } from 'vitest';
import type { Breakdown } from '../../../pages/results/charts/segment-table.ts';
import { printedCount, printedRoom } from '../../../pages/results/printed-room.ts';
import { getResults } from '../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';

const example = getResults.reply as ResultsReply;
const rows = (values: number): Breakdown['rows'] =>
  Array.from({ length: values }, (_, place) => ({
    value: `v${place}`,
    responses: 1,
    distribution: [],
    score: null,
  }));
const roomOf = (...tables: number[]) =>
  printedRoom(
    { ...example, reasons: [] },
    tables.map((values, place) => ({ name: `s${place}`, rows: rows(values) })),
  );

describe('what a survey leaves of its two pages', () => {
  it('is less with each pair of tables, and never less than nothing', () => {
    expect(roomOf(3)).toBeLessThan(roomOf());
    // Beside each other they need no more than one.
    expect(roomOf(3, 3)).toBe(roomOf(3));
    expect(roomOf(3, 3, 3)).toBeLessThan(roomOf(3, 3));
    expect(roomOf(60, 60, 60, 60)).toBe(0);
  });
});

describe('how many items are printed', () => {
  const short = [30, 20];
  const long = [30, 5_000];
  it.each([
    ['all that fit', [short, short, short], 1_000, 3],
    ['the first ones that fit', Array.from({ length: 100 }, () => short), 620, 11],
    ['of long ones fewer, which are cut after lines', Array.from({ length: 100 }, () => long), 620, 6],
    ['none where there is no room', [short], 0, 0],
    ['none of none', [], 500, 0],
  ] as const)('%s', (_, items, room, count) => {
    expect(printedCount(items, room, 40)).toBe(count);
  });
});
