import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../../shared/domain/duration.ts';
import type { Totals } from '../../../../shared/domain/project.ts';
import { checkRules, gateOf } from '../../../../shared/domain/surveys/eligibility.ts';
import { aHistory, aSurvey } from '../../../support/fixtures/builders.ts';
import { START as NOW } from '../../../support/service/test-clock.ts';

const NO_TOTALS: Totals = { bySurvey: new Map(), byMonth: new Map() };
const LIMITS = { quietPeriodMs: 0, monthlyCap: 0 };
const MINUTELY = aSurvey({ id: 'sv_1', repeat: { answeredMs: MINUTE, dismissedMs: MINUTE } });

const shownAt = (...ages: number[]) => new Map([['sv_1', ages.map((age) => NOW - age)]]);
const gate = (history: Parameters<typeof aHistory>[0], of = MINUTELY) =>
  gateOf(of, { history: aHistory(history) }, { limits: LIMITS, totals: NO_TOTALS }, NOW);

describe('three shows', () => {
  it.each(['answeredAt', 'dismissedAt'])('do not suppress the survey if %s lies between them', (ended) => {
    const shows = shownAt(HOUR, 2 * HOUR, 4 * HOUR);
    expect(gate({ shows })).toBe('shown_often');
    expect(gate({ shows, surveys: new Map([['sv_1', { [ended]: NOW - 3 * HOUR }]]) })).toBeUndefined();
    expect(gate({ shows, surveys: new Map([['sv_1', { [ended]: NOW - 5 * HOUR }]]) })).toBe('shown_often');
    expect(gate({ shows, surveys: new Map([['sv_2', { [ended]: NOW - 3 * HOUR }]]) })).toBe('shown_often');
  });

  it('do not count if they were answered, even if the last token was issued in the millisecond of the answer', () => {
    const surveys = new Map([['sv_1', { answeredAt: NOW - HOUR }]]);
    expect(gate({ shows: shownAt(HOUR, HOUR, HOUR), surveys })).toBeUndefined();
    expect(gate({ shows: shownAt(HOUR - 1, HOUR - 2, HOUR - 3), surveys })).toBe('shown_often');
  });

  it('suppress a survey that repeats once a session, but not one for each message', () => {
    const shows = shownAt(1, 2, 3);
    const names = (repeat: 'session' | 'observation') =>
      [
        ...checkRules(
          aSurvey({ id: 'sv_1', repeat }),
          { history: aHistory({ shows }) },
          { limits: LIMITS, totals: NO_TOTALS },
          NOW,
        ),
      ].filter(({ rule, passed }) => rule === 'shown_often' && !passed);
    expect([names('observation').length, names('session').length]).toEqual([0, 1]);
  });
});

describe('random histories', () => {
  const event = fc.record({
    age: fc.integer({ min: 2, max: 60 * 24 }).map((hours) => hours * HOUR),
    kind: fc.constantFrom('show', 'show', 'show', 'answer', 'dismissal'),
  });

  it('suppress a survey exactly when it was shown too often since its last answer', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(event, { selector: ({ age }) => age, maxLength: 14 }),
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 50 }).map((days) => days * DAY),
        (life, maxShows, showWindowMs) => {
          let since: number[] = [];
          const last: { answeredAt?: number; dismissedAt?: number } = {};
          for (const { age, kind } of [...life].sort((a, b) => b.age - a.age)) {
            if (kind === 'show') {
              since.push(age);
              continue;
            }
            since = [];
            last[kind === 'answer' ? 'answeredAt' : 'dismissedAt'] = NOW - age;
          }
          const isGated = maxShows > 0 && since.filter((age) => age < showWindowMs).length >= maxShows;
          const shows = shownAt(...life.filter(({ kind }) => kind === 'show').map(({ age }) => age));
          const history = aHistory({ shows, surveys: new Map([['sv_1', last]]) });
          const limits = { ...LIMITS, maxShows, showWindowMs };
          expect(gateOf(MINUTELY, { history }, { limits, totals: NO_TOTALS }, NOW)).toBe(
            isGated ? 'shown_often' : undefined,
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
