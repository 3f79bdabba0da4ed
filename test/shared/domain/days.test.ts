import { describe, expect, it } from 'vitest';
import { addDays, daysOfWeek, lastWeek, weekOf } from '../../../shared/domain/days.ts';

describe('ISO 8601 weeks', () => {
  it.each([
    ['2026-11-16', '2026-W47'],
    ['2026-11-22', '2026-W47'],
    ['2026-11-23', '2026-W48'],
    // Years whose first or last days belong to a week of another year.
    ['2021-01-03', '2020-W53'],
    ['2021-01-04', '2021-W01'],
    ['2024-12-30', '2025-W01'],
    ['2027-01-01', '2026-W53'],
    ['2023-01-01', '2022-W52'],
  ])('puts %s in %s', (day, week) => {
    expect(weekOf(day)).toBe(week);
  });

  it('puts every day of twelve years in its week, and gives each week seven days', () => {
    for (let day = '2018-01-01'; day < '2030-01-01'; day = addDays(day, 1)) {
      const { from = '', to = '' } = daysOfWeek(weekOf(day)) ?? {};
      expect(from <= day && day <= to && addDays(from, 6) === to && new Date(from).getUTCDay() === 1).toBe(
        true,
      );
    }
  });

  it.each(['2026-W00', '2026-W54', '2025-W53', '2026-W4', '2026W47', '2026-W470', 'W47', '', '0000-W01'])(
    'rejects %s',
    (week) => {
      expect(daysOfWeek(week)).toBeUndefined();
    },
  );

  it('returns the previous week as the last complete one until Sunday ends in UTC', () => {
    expect(lastWeek(Date.parse('2026-11-22T23:59:59.999Z'))).toBe('2026-W46');
    expect(lastWeek(Date.parse('2026-11-23T00:00:00.000Z'))).toBe('2026-W47');
  });
});
