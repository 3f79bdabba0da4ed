import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { History } from '../../../../shared/domain/answers/history.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import {
  DEFAULT_LIMITS,
  type ProjectLimits,
  type Totals,
  utcMonth,
} from '../../../../shared/domain/project.ts';
import {
  checkRules,
  decideEligibility,
  GATES,
  gateOf,
} from '../../../../shared/domain/surveys/eligibility.ts';
import type { Survey, SurveyLimits } from '../../../../shared/domain/surveys/survey.ts';
import { METRICS } from '../../../../shared/settings/metrics.ts';
import { aHistory, aSurvey } from '../../../support/fixtures/builders.ts';
import { START as NOW } from '../../../support/service/test-clock.ts';

const NO_TOTALS: Totals = { bySurvey: new Map(), byMonth: new Map() };
const survey = aSurvey({ id: 'sv_1' });

function gate(
  history: Partial<History>,
  {
    limits = {},
    totals = NO_TOTALS,
    of = survey,
  }: { limits?: Partial<ProjectLimits>; totals?: Totals; of?: Survey } = {},
) {
  const rules = { limits: { ...DEFAULT_LIMITS, ...limits }, totals };
  return gateOf(of, { history: aHistory(history) }, rules, NOW);
}

const limited = (limits: SurveyLimits): Survey => aSurvey({ id: 'sv_1', limits });

describe('gates of a survey', () => {
  it('never apply to someone without a history', () => {
    expect(gate({})).toBeUndefined();
  });

  it('apply after an answer or dismissal, whatever the limits', () => {
    const off = { quietPeriodMs: 0, monthlyCap: 0 };
    expect(gate({ surveys: new Map([['sv_1', { answeredAt: 0 }]]) }, { limits: off })).toBe('suppressed');
  });

  it('apply within the quiet period, to the millisecond', () => {
    expect(gate({ times: [NOW - 7 * DAY + 1] })).toBe('quiet_period');
    expect(gate({ times: [NOW - 7 * DAY] })).toBeUndefined();
  });

  it('apply within the separate quiet period after a dismissal', () => {
    const limits = { quietPeriodMs: 7 * DAY, quietAfterDismissalMs: 2 * DAY };
    const dismissed = (days: number) => gate({ latest: { dismissedAt: NOW - days * DAY } }, { limits });
    expect([dismissed(2), dismissed(1.9)]).toEqual([undefined, 'quiet_period']);
    const both = { answeredAt: NOW - 6 * DAY, dismissedAt: NOW - 3 * DAY };
    expect(gate({ latest: both }, { limits })).toBe('quiet_period');
    expect(gate({ latest: both }, { limits: { ...limits, quietPeriodMs: 0 } })).toBeUndefined();
    expect(gate({ latest: both }, { limits: { quietPeriodMs: 0, quietAfterDismissalMs: 4 * DAY } })).toBe(
      'quiet_period',
    );
  });

  it("use the survey's own quiet period if set", () => {
    expect(gate({ times: [NOW - 8 * DAY] }, { of: limited({ quietPeriodMs: 9 * DAY }) })).toBe(
      'quiet_period',
    );
    expect(gate({ times: [NOW - 2 * DAY] }, { of: limited({ quietPeriodMs: DAY }) })).toBeUndefined();
    expect(gate({ times: [NOW - 1] }, { of: limited({ quietPeriodMs: 0 }) })).toBeUndefined();
  });

  it('apply at the monthly cap even if the survey ignores the quiet period', () => {
    const of = limited({ ignoreQuietPeriod: true });
    expect(gate({ times: [NOW - 1, NOW - 2] }, { of })).toBeUndefined();
    expect(gate({ times: [NOW - 1, NOW - 2, NOW - 3] }, { of })).toBe('monthly_cap');
  });

  it('count the cap over thirty days, to the millisecond', () => {
    const twice = [NOW - 10 * DAY, NOW - 11 * DAY];
    expect(gate({ times: [...twice, NOW - 30 * DAY + 1] })).toBe('monthly_cap');
    expect(gate({ times: [...twice, NOW - 30 * DAY] })).toBeUndefined();
  });

  it('apply after three shows of this survey in thirty days, to the millisecond', () => {
    const shown = (...ages: number[]) => ({ shows: new Map([['sv_1', ages.map((age) => NOW - age)]]) });
    expect(gate(shown(1, 2, 30 * DAY - 1))).toBe('shown_often');
    expect(gate(shown(1, 2, 30 * DAY))).toBeUndefined();
    expect(gate({ shows: new Map([['sv_2', [NOW - 1, NOW - 2, NOW - 3]]]) })).toBeUndefined();
    expect(gate(shown(1, 2), { limits: { maxShows: 2 } })).toBe('shown_often');
    expect(gate(shown(1, DAY), { limits: { maxShows: 2, showWindowMs: DAY } })).toBeUndefined();
    expect(gate(shown(1, 2, 3), { limits: { maxShows: 0 } })).toBeUndefined();
    expect(gate(shown(1, 2, 3), { limits: { showWindowMs: 0 } })).toBeUndefined();
  });

  it("apply at the survey's own maximum", () => {
    const totals = { bySurvey: new Map([['sv_1', 10]]), byMonth: new Map() };
    expect(gate({}, { totals, of: limited({ maxResponses: 10 }) })).toBe('survey_maximum');
    expect(gate({}, { totals, of: limited({ maxResponses: 11 }) })).toBeUndefined();
    expect(gate({}, { totals, of: limited({ maxResponses: 0 }) })).toBeUndefined();
  });

  it("apply at the project's quota of the current month only", () => {
    const spent = { bySurvey: new Map(), byMonth: new Map([['2026-11', 5]]) };
    const lastMonth = { bySurvey: new Map(), byMonth: new Map([['2026-10', 5]]) };
    expect(gate({}, { totals: spent, limits: { monthlyQuota: 5 } })).toBe('project_quota');
    expect(gate({}, { totals: spent, limits: { monthlyQuota: 6 } })).toBeUndefined();
    expect(gate({}, { totals: lastMonth, limits: { monthlyQuota: 5 } })).toBeUndefined();
    expect(gate({}, { totals: spent, limits: { monthlyQuota: 0 } })).toBeUndefined();
  });
});

it('has exactly one metric for each gate', () => {
  const gated = Object.keys(METRICS).filter((name) => name.startsWith('gated_'));
  expect(gated).toEqual(GATES.map((gate) => `gated_${gate}`));
});

describe('an inactive survey', () => {
  const startsAt = new Date(NOW + DAY).toISOString();
  const check = (of: Survey) => {
    const rules = { limits: DEFAULT_LIMITS, totals: NO_TOTALS };
    const [first] = checkRules(of, { history: aHistory() }, rules, NOW);
    return first;
  };

  it('is never asked', () => {
    expect(gate({}, { of: aSurvey({ status: 'paused' }) })).toBe('inactive');
    expect(check(aSurvey())).toEqual({ rule: 'inactive', passed: true });
  });

  it('is asked from its start on, but not while paused or after its end', () => {
    expect(check(aSurvey({ startsAt }))).toMatchObject({ passed: false, until: NOW + DAY });
    expect(check(aSurvey({ startsAt, status: 'draft' }))?.until).toBeUndefined();
    expect(check(aSurvey({ endsAt: new Date(NOW).toISOString() }))).toMatchObject({
      passed: false,
      until: undefined,
    });
  });
});

/** A second implementation of the rules, based only on counting. */
function breaksARule(of: Survey, history: History, limits: ProjectLimits, totals: Totals): boolean {
  const ages = history.times.map((time) => NOW - time);
  const quiet = of.limits.ignoreQuietPeriod ? 0 : (of.limits.quietPeriodMs ?? limits.quietPeriodMs);
  const within = (period: number) => ages.filter((age) => age < period).length;
  const { maxShows = 3, showWindowMs = 30 * DAY } = limits;
  const shown = (history.shows?.get(of.id) ?? []).filter((time) => time > NOW - showWindowMs).length;
  const full = (count: number | undefined, most: number | undefined) =>
    Boolean(most) && (count ?? 0) >= Number(most);
  return (
    history.surveys.has(of.id) ||
    (quiet > 0 && within(quiet) > 0) ||
    (limits.monthlyCap > 0 && within(30 * DAY) >= limits.monthlyCap) ||
    full(shown, maxShows) ||
    full(totals.bySurvey.get(of.id), of.limits.maxResponses) ||
    full(totals.byMonth.get(utcMonth(NOW)), limits.monthlyQuota)
  );
}

describe('random histories', () => {
  const ids = ['sv_1', 'sv_2', 'sv_3', 'sv_4'];
  const days = (most: number) =>
    fc.integer({ min: 0, max: most * 4 }).map((quarters) => (quarters * DAY) / 4);
  const surveys = fc.tuple(
    ...ids.map((id) =>
      fc
        .record(
          {
            quietPeriodMs: days(40),
            ignoreQuietPeriod: fc.boolean(),
            maxResponses: fc.integer({ min: 0, max: 4 }),
          },
          { requiredKeys: [] },
        )
        .map((limits) => aSurvey({ id, limits })),
    ),
  );
  const history = fc
    .record({
      surveys: fc.subarray(ids).map((chosen) => new Map(chosen.map((id) => [id, { answeredAt: NOW }]))),
      times: fc.array(
        days(60).map((age) => NOW - age),
        { maxLength: 6 },
      ),
      shows: fc
        .array(
          fc.tuple(
            fc.constantFrom(...ids),
            fc.array(
              days(60).map((age) => NOW - age),
              { maxLength: 6 },
            ),
          ),
        )
        .map((entries) => new Map(entries)),
    })
    .map(aHistory);
  const limits = fc.record(
    {
      quietPeriodMs: days(40),
      monthlyCap: fc.integer({ min: 0, max: 4 }),
      monthlyQuota: fc.integer({ min: 0, max: 4 }),
      maxShows: fc.integer({ min: 0, max: 6 }),
      showWindowMs: days(50),
    },
    { requiredKeys: ['quietPeriodMs', 'monthlyCap'] },
  );
  const totals = fc.record({
    bySurvey: fc.array(fc.tuple(fc.constantFrom(...ids), fc.nat(5))).map((entries) => new Map(entries)),
    byMonth: fc
      .array(fc.tuple(fc.constantFrom('2026-11', '2026-10'), fc.nat(5)))
      .map((entries) => new Map(entries)),
  });

  it('make a survey eligible exactly when no rule forbids it', () => {
    fc.assert(
      fc.property(surveys, history, limits, totals, (of, past, rules, counts) => {
        const decision = decideEligibility(of, { history: past }, { limits: rules, totals: counts }, NOW);
        const eligible = of.filter((each) => !breaksARule(each, past, rules, counts));
        expect(decision.eligible).toEqual(eligible);
        expect(decision.refused).toHaveLength(of.length - eligible.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('let a rule pass exactly at the time that it gives', () => {
    fc.assert(
      fc.property(surveys, history, limits, totals, (of, past, rules, counts) => {
        for (const each of of) {
          const at = (now: number, name: string) =>
            [...checkRules(each, { history: past }, { limits: rules, totals: counts }, now)].find(
              ({ rule }) => rule === name,
            )?.passed;
          for (const { rule, passed, until } of checkRules(
            each,
            { history: past },
            { limits: rules, totals: counts },
            NOW,
          )) {
            if (passed) expect(until).toBeUndefined();
            if (until !== undefined) expect([at(until - 1, rule), at(until, rule)]).toEqual([false, true]);
            // These rules stop applying as time passes; the others only after a change.
            const timed = ['quiet_period', 'monthly_cap', 'shown_often', 'project_quota'];
            const isTimed = timed.includes(rule);
            expect(until !== undefined).toBe(!passed && isTimed);
          }
        }
      }),
    );
  });

  it('never make a survey eligible by growing', () => {
    fc.assert(
      fc.property(surveys, history, limits, totals, days(60), (of, past, rules, counts, age) => {
        const { surveys, times, shows = new Map<string, number[]>() } = past;
        const more = [...(shows.get('sv_1') ?? []), NOW - age];
        const longer = aHistory({
          surveys,
          times: [...times, NOW - age],
          shows: new Map([...shows, ['sv_1', more]]),
        });
        const before = decideEligibility(of, { history: past }, { limits: rules, totals: counts }, NOW);
        const after = decideEligibility(of, { history: longer }, { limits: rules, totals: counts }, NOW);
        expect(before.eligible).toEqual(expect.arrayContaining([...after.eligible]));
      }),
    );
  });
});
