import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addedShows, MOST_SHOWS, type Show, surplusShows } from '../../../../shared/domain/answers/shows.ts';
import { DAY, HOUR } from '../../../../shared/domain/duration.ts';
import { START as NOW } from '../../../support/service/test-clock.ts';

const aShow = (at: number, surveyId = 'sv_1', id = `${at}`): Show => ({ surveyId, at, id });
const some = (count: number, surveyId = 'sv_1') =>
  Array.from({ length: count }, (_, index) => aShow(NOW - index, surveyId));

describe('surplus shows', () => {
  it('include all but the newest ten of each survey', () => {
    const shows = [...some(12), ...some(3, 'sv_2')];
    expect(surplusShows(shows, 30 * DAY, NOW)).toEqual([aShow(NOW - 10), aShow(NOW - 11)]);
    expect(surplusShows(some(10), 30 * DAY, NOW)).toEqual([]);
  });

  it('include those before the window whose tokens have expired', () => {
    const shows = [aShow(NOW - 40 * DAY), aShow(NOW - 30 * DAY - HOUR), aShow(NOW - DAY)];
    expect(surplusShows(shows, 90 * DAY, NOW)).toEqual([]);
    expect(surplusShows(shows, 30 * DAY, NOW)).toEqual([shows[0]]);
    expect(surplusShows(shows, 0, NOW)).toEqual([shows[0]]);
  });
});

describe('added shows', () => {
  it('include the new ones of each survey', () => {
    const before = [aShow(1), aShow(2)];
    expect(addedShows(before, [...before, aShow(3), aShow(1, 'sv_2')])).toEqual([aShow(3), aShow(1, 'sv_2')]);
    expect(addedShows(before, [aShow(2)])).toEqual([]);
    expect(addedShows([], [aShow(1), aShow(1, 'sv_1', 'other')])).toHaveLength(2);
  });

  it('exclude a show older than all kept ones, which may have been counted and removed', () => {
    const kept = some(10);
    expect(addedShows(kept, [...kept, aShow(NOW - 10)])).toEqual([]);
    expect(addedShows(kept, [...kept, aShow(NOW + 1)])).toEqual([aShow(NOW + 1)]);
    expect(addedShows(kept.slice(1), [...kept.slice(1), aShow(NOW - 10)])).toEqual([aShow(NOW - 10)]);
  });
});

describe('any order of reports, repeats and removals', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ report: fc.nat(24), of: fc.constantFrom('sv_1', 'sv_2') }) },
    { weight: 1, arbitrary: fc.constant('prune' as const) },
  );

  it('counts each kept show exactly once, and removal terminates', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const item = new Map<string, Show>();
        const counted: string[] = [];
        const nameOf = ({ surveyId, id }: Show) => `${surveyId} ${id}`;
        const change = (after: readonly Show[]) => {
          counted.push(...addedShows([...item.values()], after).map(nameOf));
          item.clear();
          for (const show of after) item.set(nameOf(show), show);
        };
        for (const next of steps) {
          const now = [...item.values()];
          if (next === 'prune') {
            const surplus = new Set(surplusShows(now, 30 * DAY, NOW));
            change(now.filter((show) => !surplus.has(show)));
            expect(surplusShows([...item.values()], 30 * DAY, NOW)).toEqual([]);
          } else {
            const show = aShow(NOW - next.report, next.of);
            if (!item.has(nameOf(show))) change([...now, show]);
          }
        }
        expect(new Set(counted).size).toBe(counted.length);
        for (const surveyId of ['sv_1', 'sv_2']) {
          const newest = [...item.values()]
            .filter((show) => show.surveyId === surveyId)
            .sort((a, b) => b.at - a.at)
            .slice(0, MOST_SHOWS);
          for (const show of newest) expect(counted).toContain(nameOf(show));
        }
      }),
      { numRuns: 500 },
    );
  });
});
