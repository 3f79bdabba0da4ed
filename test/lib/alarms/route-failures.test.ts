/** No route dies in silence, however few of all requests are its. */

import { describe, expect, it } from 'vitest';
import { ACCESS_LOG_FORMAT } from '../../../lib/access-log-format.ts';
import { type Series, simulateAlarm } from '../../support/stack/alarm-simulation.ts';
import { matchesFilter } from '../../support/stack/filter-pattern.ts';
import { aTemplate } from '../../support/stack/synthesised-stack.ts';

const ROUTES = {
  submit: 'POST /v1/sdk/responses',
  mint: 'POST /v1/sdk/tokens',
  erase: 'DELETE /v1/privacy/erase',
  results: 'GET /v1/results',
} as const;
type Name = keyof typeof ROUTES;
const NAMES = Object.keys(ROUTES) as Name[];

const LEVELS = ['essential', 'all'] as const;

function alarmsOf(alarms: (typeof LEVELS)[number], name: Name) {
  const found = Object.values(
    aTemplate(alarms === 'all' ? { alarms } : {}).findResources('AWS::CloudWatch::Alarm'),
  )
    .map(({ Properties }) => Properties)
    .filter(({ AlarmName }) => AlarmName.startsWith(`canvass-test-${name}-failures`));
  expect(found).toHaveLength(2);
  return found;
}

function filterOf(name: Name): string {
  const filters = Object.values(aTemplate().findResources('AWS::Logs::MetricFilter'));
  const [filter, ...others] = filters.filter(
    ({ Properties }) => Properties.MetricTransformations[0].MetricName === `${name}_failed`,
  );
  expect(others).toEqual([]);
  expect(filter?.Properties.MetricTransformations).toEqual([
    { MetricName: `${name}_failed`, MetricNamespace: 'canvass-test', MetricValue: '1' },
  ]);
  return filter?.Properties.FilterPattern;
}

/** A line of the gateway, whose variables are texts (API Gateway, "Logging variables for HTTP API access logs"). */
const line = (route: string, status: number, more: Partial<typeof ACCESS_LOG_FORMAT> | object = {}) => {
  const empty = Object.fromEntries(Object.keys(ACCESS_LOG_FORMAT).map((field) => [field, '-']));
  return JSON.stringify({ ...empty, route, status: String(status), ...more });
};

const HOUR = 60;

/**
 * What CloudWatch has of a route: failures by the filter, invocations by Lambda.
 * @param rate calls a second
 * @param fails whether the call of this number fails, in this minute
 */
function traffic(name: Name, minutes: number, rate: number, fails: (minute: number) => number): Series {
  const calls: (number | undefined)[] = [];
  const failed: (number | undefined)[] = [];
  let due = 0;
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = Math.floor(due);
    due += rate * 60;
    const count = Math.floor(due) - before;
    const failing = Math.min(count, fails(minute));
    calls.push(count === 0 ? undefined : count);
    failed.push(failing === 0 ? undefined : failing);
  }
  return { [`${name}_failed`]: failed, Invocations: calls };
}

/** The first minute in which one of the route's alarms goes off. */
function firstAlarm(level: (typeof LEVELS)[number], name: Name, series: Series): number | undefined {
  const minutes = alarmsOf(level, name)
    .map((alarm) => simulateAlarm(alarm, series).indexOf(true))
    .filter((minute) => minute >= 0);
  return minutes.length === 0 ? undefined : Math.min(...minutes);
}

describe.each(NAMES)('%s', (name) => {
  it.each([
    ['a failure of the function', 500, { functionLatencyMs: '12' }],
    ['a dependency out of reach', 503, { functionLatencyMs: '12' }],
    ['a function out of time', 503, { functionError: 'Function timed out' }],
    ['a function that Lambda throttles', 503, { functionError: 'Rate exceeded' }],
    ['a missing permission', 500, { functionError: 'The IAM role … lacks permission', gatewayError: '…' }],
    ['the gateway’s own throttle', 429, { gatewayError: 'Too Many Requests' }],
  ])('counts %s', (_what, status, more) => {
    expect(matchesFilter(filterOf(name), line(ROUTES[name], status, more))).toBe(true);
  });

  it('counts neither what succeeds, nor refusals, nor failures of other routes', () => {
    const pattern = filterOf(name);
    for (const status of [200, 201, 400, 401, 409, 429]) {
      expect(matchesFilter(pattern, line(ROUTES[name], status))).toBe(false);
    }
    for (const other of NAMES.filter((each) => each !== name)) {
      expect(matchesFilter(pattern, line(ROUTES[other], 500))).toBe(false);
    }
    expect(matchesFilter(pattern, line('POST /v1/sdk/bootstrap', 503))).toBe(false);
  });

  describe.each(LEVELS)('with alarms: %s', (level) => {
    it.each([
      ['1 request/s, 4 % of them', 0.04, 3],
      ['1 request/s, 0.1 % of them', 0.001, 51],
      ['10,000 requests/s, 4 % of them', 400, 0],
      ['10,000 requests/s, 0.1 % of them', 10, 0],
    ])('dead at %s: heard of at the third failure', (_what, rate, latest) => {
      const dead = traffic(name, 6 * HOUR, rate, () => Number.POSITIVE_INFINITY);
      expect(firstAlarm(level, name, dead)).toBeLessThanOrEqual(latest);
    });

    it.each([1, 400])('three failures in a quarter of an hour at %d calls a second', (rate) => {
      const failing = [200, 207, 214];
      const series = traffic(name, 8 * HOUR, rate, (minute) => Number(failing.includes(minute)));
      expect(firstAlarm(level, name, series)).toBe(214);
    });

    it('the third within six hours, wherever they lie on the clock; not within more', () => {
      const rate = 1 / 600;
      const once = (...failing: number[]) =>
        traffic(name, 12 * HOUR, rate, (minute) => Number(failing.some((each) => minute === each)));
      // A call every ten minutes, the first after ten.
      expect(firstAlarm(level, name, once(189, 359, 539))).toBe(539);
      expect(firstAlarm(level, name, once(189, 369, 549))).toBeUndefined();
    });

    it('two failures, and no traffic at all, wake nobody', () => {
      const two = traffic(name, 7 * HOUR, 1, (minute) => (minute === 30 ? 2 : 0));
      expect(firstAlarm(level, name, two)).toBeUndefined();
      expect(
        firstAlarm(
          level,
          name,
          traffic(name, 7 * HOUR, 0, () => 0),
        ),
      ).toBeUndefined();
    });

    it('is over once the failures are past', () => {
      const series = traffic(name, 14 * HOUR, 1, (minute) => (minute < 60 ? 60 : 0));
      for (const alarm of alarmsOf(level, name)) {
        const states = simulateAlarm(alarm, series);
        expect(states.slice(60 + 6 * HOUR)).not.toContain(true);
      }
    });
  });

  it('at 400 calls a second a failure an hour wakes nobody who has all alarms', () => {
    const series = traffic(name, 14 * HOUR, 400, (minute) => Number(minute % HOUR === 0));
    expect(firstAlarm('all', name, series)).toBeUndefined();
    expect(firstAlarm('essential', name, series)).toBe(2 * HOUR);
  });

  it.each(LEVELS)(
    'with alarms %s, dead at a call an hour beside stray failures of another route: off until then, on at the third',
    (level) => {
      const death = 20 * HOUR;
      const own = traffic(name, 26 * HOUR, 1 / 3_600, (minute) => Number(minute >= death));
      const [other = 'submit'] = NAMES.filter((each) => each !== name);
      const strays = traffic(other, 26 * HOUR, 1, (minute) => Number(minute % 110 === 0));
      // Of other functions, Lambda counts the calls apart.
      const { Invocations: _, ...failures } = strays;
      for (const alarm of alarmsOf(level, name))
        expect(simulateAlarm(alarm, { ...failures, ...own }).slice(0, death)).not.toContain(true);
      expect(firstAlarm(level, name, { ...failures, ...own })).toBeLessThanOrEqual(death + 3 * HOUR);
    },
  );

  it.each(LEVELS)(
    'with alarms %s, dead after days of single failures: an alarm of its own goes off then',
    (level) => {
      const death = 20 * HOUR;
      const series = traffic(name, 22 * HOUR, 10, (minute) =>
        minute >= death ? Number.POSITIVE_INFINITY : Number(minute % HOUR === 0),
      );
      const [soon] = alarmsOf(level, name).filter(
        ({ AlarmName }) => AlarmName === `canvass-test-${name}-failures`,
      );
      const states = simulateAlarm(soon ?? {}, series);
      expect(states.slice(HOUR, death)).not.toContain(true);
      expect(states.indexOf(true)).toBe(death);
    },
  );

  it('at 400 calls a second a hundred failures spread over six hours are heard of', () => {
    const series = traffic(name, 7 * HOUR, 400, (minute) => Number(minute % 3 === 0));
    expect(firstAlarm('all', name, series)).toBeDefined();
  });
});
