import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays, dayAt } from '../../../shared/domain/days.ts';
import { DAY, HOUR, SECOND } from '../../../shared/domain/duration.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../../../shared/domain/project.ts';
import {
  changeRetention,
  completeFromOf,
  expiryOf,
  isGone,
  isShorterPeriod,
  newRetention,
  nextPeriod,
  parseRetention,
  periodAt,
  periodWanted,
  RETENTION_NOTICE_MS,
  RETENTION_SETTLES_MS,
  type Retention,
  type RetentionPeriod,
} from '../../../shared/domain/retention.ts';

const NOW = Date.parse('2026-11-25T10:00:00.000Z');
const retained = (period: RetentionPeriod, from = '2020-01-01T00:00:00.000Z'): Retention => ({
  entries: [{ from, period }],
});
const completeFrom = (retention: Retention | undefined, at: number) => completeFromOf([retention], at);

it.each([
  ['none', null],
  ['35d', '35d'],
  ['36500d', '36500d'],
  ['2mo', '2mo'],
  ['1200mo', '1200mo'],
])('accepts the retention %s', (text, period) => {
  expect(parseRetention(text)).toBe(period);
});

it.each(['', '34d', '36501d', '1mo', '1201mo', '035d', '35', 'd', '35 d', '35D', '1y', 'None', '-35d'])(
  'rejects the retention %j',
  (text) => {
    expect(parseRetention(text)).toBeUndefined();
  },
);

it('keeps an answer at least a day longer than its longest token', () => {
  const first = completeFrom(retained('35d'), NOW);
  expect(Date.parse(dayAt(NOW)) - (Date.parse(first) + DAY)).toBeGreaterThan(
    TOKEN_LIFETIME_RANGE_MS.max + DAY,
  );
  expect(parseRetention('34d')).toBeUndefined();
});

it.each([
  ['35d', '2026-11-25T23:59:59.999Z', '2026-10-21'],
  ['35d', '2026-11-26T00:00:00.000Z', '2026-10-22'],
  ['13mo', '2026-11-25T10:00:00.000Z', '2025-10-25'],
  ['2mo', '2026-03-31T10:00:00.000Z', '2026-01-31'],
  ['2mo', '2026-04-30T10:00:00.000Z', '2026-03-01'],
  ['12mo', '2025-02-28T10:00:00.000Z', '2024-02-28'],
])('with %s, at %s, keeps all answers from %s on', (period, at, day) => {
  expect(completeFrom(retained(period), Date.parse(at))).toBe(day);
});

/** Computes the day with JavaScript's own calendar. */
function lastDayOf(day: string, period: string): string {
  const count = Number.parseInt(period, 10);
  if (period.endsWith('d')) return addDays(day, count);
  const date = new Date(day);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const month = date.getUTCMonth();
  date.setUTCDate(Number(day.slice(8)));
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return dayAt(date.getTime());
}

const periods = fc.constantFrom(...'35d 36d 59d 60d 61d 62d 400d 2mo 3mo 12mo 13mo'.split(' '));

it('keeps an answer to the end of its last UTC day', () => {
  const times = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2032, 0) });
  fc.assert(
    fc.property(periods, times, fc.integer({ min: 0, max: 500 }), (period, at, back) => {
      const answeredAt = new Date(at - back * DAY).toISOString();
      const hasEnded = dayAt(at) > lastDayOf(answeredAt.slice(0, 10), period);
      expect(isGone(answeredAt, completeFrom(retained(period), at))).toBe(hasEnded);
    }),
    { numRuns: 1_000 },
  );
});

it('applies the shorter of project and survey, and keeps everything without either', () => {
  expect(completeFromOf([retained('13mo'), retained('35d')], NOW)).toBe('2026-10-21');
  expect(completeFromOf([retained('35d'), undefined], NOW)).toBe('2026-10-21');
  expect(completeFromOf([undefined, retained(null)], NOW)).toBe('');
  expect(isGone('1970-01-01T00:00:00.000Z', '')).toBe(false);
});

it('calls a period shorter if it expires an answer earlier on any day', () => {
  const pairs = [
    ['35d', null],
    ['35d', '36d'],
    ['59d', '2mo'],
    ['2mo', '62d'],
    ['2mo', '61d'],
    ['61d', '2mo'],
    ['396d', '13mo'],
  ] as const;
  for (const [shorter, longer] of pairs)
    expect([shorter, longer, isShorterPeriod(shorter, longer)]).toEqual([shorter, longer, true]);
  expect(isShorterPeriod('62d', '2mo')).toBe(false);
  expect(isShorterPeriod('2mo', '59d')).toBe(false);
  expect(isShorterPeriod('35d', '35d')).toBe(false);
  expect(isShorterPeriod(null, '35d')).toBe(false);
});

const asked = (
  period: RetentionPeriod,
  before?: Retention,
  options: { now?: number; isAtOnce?: boolean } = {},
) => changeRetention(before, { period, now: NOW, ...options });

it('applies a shorter retention two days later, and allows revoking it until then', () => {
  const shorter = asked('35d');
  expect(periodWanted(shorter)).toBe('35d');
  expect(nextPeriod(shorter, NOW)).toEqual({ from: '2026-11-27T10:00:00.000Z', period: '35d' });
  expect(periodAt(shorter, NOW + RETENTION_NOTICE_MS - 1)).toBeNull();
  expect(completeFrom(shorter, NOW + RETENTION_NOTICE_MS - 1)).toBe('');
  expect(completeFrom(shorter, NOW + RETENTION_NOTICE_MS)).toBe('2026-10-23');
  const back = asked(null, shorter, { now: NOW + 47 * HOUR });
  expect(back).toEqual({ entries: [] });
  expect(completeFrom(back, NOW + 1_000 * DAY)).toBe('');
});

it('applies an immediate change once every function knows it', () => {
  for (const before of [undefined, asked('35d')]) {
    const shorter = asked('35d', before, { isAtOnce: true });
    expect(nextPeriod(shorter, NOW)?.from).toBe(new Date(NOW + RETENTION_SETTLES_MS).toISOString());
  }
});

it('changes nothing for a repeated request', () => {
  const held = retained('35d');
  expect(asked('35d', held)).toBe(held);
  expect(asked(null)).toBeUndefined();
  const waiting = asked('35d');
  expect(asked('35d', waiting, { now: NOW + HOUR })).toBe(waiting);
});

it('applies a longer retention once every function knows it, and restores nothing', () => {
  const longer = asked('13mo', retained('35d'));
  const at = NOW + RETENTION_SETTLES_MS;
  expect(completeFrom(longer, at)).toBe('2026-10-21');
  expect(completeFrom(longer, at + 30 * DAY)).toBe('2026-10-21');
  expect(completeFrom(longer, at + 400 * DAY)).toBe('2026-11-30');
});

it('does not revoke a change that a function may already apply', () => {
  const shorter = asked('35d', undefined, { isAtOnce: true });
  const late = asked(null, shorter, { now: NOW + 10 * SECOND });
  expect(late?.entries.map(({ period }) => period)).toEqual(['35d', null]);
  expect(completeFrom(late, NOW + DAY)).toBe('2026-10-21');
});

it('applies the retention of a new project or survey at once', () => {
  expect(periodAt(newRetention('35d', NOW), NOW)).toBe('35d');
  expect(newRetention(null, NOW)).toBeUndefined();
});

it('never moves the first complete day back, by any change or time', () => {
  const steps = fc.array(
    fc.record({
      period: fc.oneof(periods, fc.constant(null)),
      isAtOnce: fc.boolean(),
      wait: fc.oneof(fc.integer({ min: 0, max: 90 * SECOND }), fc.integer({ min: 0, max: 90 * DAY })),
    }),
    { minLength: 1, maxLength: 80 },
  );
  fc.assert(
    fc.property(steps, (changes) => {
      let [now, retention] = [NOW, newRetention(null, NOW)];
      let first = '';
      for (const { period, isAtOnce, wait } of changes) {
        now += wait;
        const before = completeFrom(retention, now);
        expect(before >= first).toBe(true);
        const next = changeRetention(retention, { period, now, isAtOnce });
        // Instances with older cached settings give the same result.
        for (const later of [0, 10 * SECOND, 30 * SECOND]) {
          const [old, fresh] = [retention, next].map((each) => completeFrom(each, now + later));
          expect(fresh).toBe(old);
        }
        expect(periodWanted(next)).toBe(period);
        expect(next?.entries.length ?? 0).toBeLessThanOrEqual(51);
        const froms = next?.entries.map(({ from }) => from) ?? [];
        expect(froms.toSorted()).toEqual(froms);
        [retention, first] = [next, before];
      }
    }),
  );
});

it('an answer expires at the moment from which it is hidden, or never', () => {
  const answered = '2026-11-20T23:59:00.000Z';
  const expiryAt = (...retentions: (Retention | undefined)[]) => expiryOf(answered, retentions, NOW);
  const iso = (at = Number.NaN) => new Date(at).toISOString();
  expect(iso(expiryAt(retained('35d')))).toBe('2026-12-26T00:00:00.000Z');
  expect(iso(expiryAt(retained('13mo'), retained('2mo')))).toBe('2027-01-21T00:00:00.000Z');
  expect(iso(expiryAt(retained('36500d')))).toBe(iso(Date.parse('2026-11-20') + 36_501 * DAY));
  expect([expiryAt(), expiryAt(undefined, retained(null))]).toEqual([undefined, undefined]);
  const from = '2027-03-03T15:30:00.000Z';
  const shortened = {
    entries: [
      { from: new Date(NOW).toISOString(), period: '400d' },
      { from, period: '35d' },
    ],
  };
  expect(iso(expiryAt(shortened, retained('13mo')))).toBe(from);
  for (const retention of [...['35d', '13mo', '1200mo'].map((period) => retained(period)), shortened]) {
    const expiry = expiryAt(retention) ?? 0;
    const isHidden = (at: number) => isGone(answered, completeFrom(retention, at));
    expect([isHidden(expiry - 1), isHidden(expiry)]).toEqual([false, true]);
  }
});
