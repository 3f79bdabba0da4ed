/** A failing route raises an alarm even if it receives few of all requests. */

import { describe, expect, it } from 'vitest';
import { ACCESS_LOG_FORMAT } from '../../../lib/api.ts';
import { matchesFilter } from '../../support/stack/filter-pattern.ts';
import { evaluateAlarm } from '../../support/stack/metric-math.ts';
import { aTemplate } from '../../support/stack/synthesised-stack.ts';

/** The routes that each pair of alarms watches. Those of links have few requests, too. */
const ROUTES = {
  submit: ['POST /v1/sdk/responses', 'POST /l/{token}'],
  mint: ['POST /v1/sdk/tokens', 'POST /v1/sdk/deferred-ask-link', 'GET /l/{token}'],
  erase: ['DELETE /v1/privacy/erase'],
  results: ['GET /v1/results'],
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

/**
 * An access log line of the gateway. Its variables are strings (API Gateway, "Logging variables for HTTP API access
 * logs").
 */
const line = (route: string, status: number, more: Partial<typeof ACCESS_LOG_FORMAT> | object = {}) => {
  const empty = Object.fromEntries(Object.keys(ACCESS_LOG_FORMAT).map((field) => [field, '-']));
  return JSON.stringify({ ...empty, route, status: String(status), ...more });
};

describe.each(NAMES)('%s', (name) => {
  it.each([
    ['a failure of the function', 500, { functionLatencyMs: '12' }],
    ['a dependency out of reach', 503, { functionLatencyMs: '12' }],
    ['a function out of time', 503, { functionError: 'Function timed out' }],
    ['a function that Lambda throttles', 503, { functionError: 'Rate exceeded' }],
    ['a missing permission', 500, { functionError: 'The IAM role … lacks permission', gatewayError: '…' }],
    ['the gateway’s own throttle', 429, { gatewayError: 'Too Many Requests' }],
  ])('counts %s', (_what, status, more) => {
    for (const route of ROUTES[name])
      expect(matchesFilter(filterOf(name), line(route, status, more))).toBe(true);
    // CloudWatch Logs quotas: the length of a filter pattern.
    expect(filterOf(name).length).toBeLessThan(1_024);
  });

  it('counts no successes, refusals or failures of other routes', () => {
    const pattern = filterOf(name);
    for (const status of [200, 201, 400, 401, 409, 429]) {
      for (const route of ROUTES[name]) expect(matchesFilter(pattern, line(route, status))).toBe(false);
    }
    for (const other of NAMES.filter((each) => each !== name)) {
      for (const route of ROUTES[other]) expect(matchesFilter(pattern, line(route, 500))).toBe(false);
    }
    expect(matchesFilter(pattern, line('POST /v1/sdk/bootstrap', 503))).toBe(false);
  });

  it.each(LEVELS)(
    'with alarms %s: alarms on three failures in fifteen minutes, and in six hours',
    (level) => {
      const [soon, late] = alarmsOf(level, name);
      const one = { EvaluationPeriods: 1, TreatMissingData: 'notBreaching' };
      const three = { MetricName: `${name}_failed`, Statistic: 'Sum', Threshold: 3, ...one };
      expect(soon).toMatchObject({ AlarmName: `canvass-test-${name}-failures`, Period: 900, ...three });
      const quiet = level === 'essential' ? { Period: 6 * 3_600, ...three } : one;
      expect(late).toMatchObject({ AlarmName: `canvass-test-${name}-failures-quiet`, ...quiet });
    },
  );

  it('with all alarms: allows a busy route one more failure for each 100,000 calls in six hours', () => {
    const [, late] = alarmsOf('all', name);
    const stats = late.Metrics.flatMap(({ MetricStat }: { MetricStat?: object }) => MetricStat ?? []);
    expect(stats).toHaveLength(1 + ROUTES[name].length);
    for (const stat of stats) expect(stat).toMatchObject({ Period: 6 * 3_600, Stat: 'Sum' });
    const goesOff = (failed?: number, calls?: number) => {
      // Only the first route has calls.
      const value = evaluateAlarm(late.Metrics, ({ Id, MetricStat }) => {
        if (MetricStat?.Metric.MetricName !== 'Invocations') return failed;
        return Id === 'calls0' ? calls : undefined;
      });
      return value !== undefined && value >= late.Threshold;
    };
    const busy = 400 * 6 * 3_600;
    expect([goesOff(3, 3), goesOff(3), goesOff(120, busy)]).toEqual([true, true, true]);
    expect([goesOff(2, 2), goesOff(), goesOff(undefined, 100)]).toEqual([false, false, false]);
    expect(goesOff(6, busy)).toBe(false);
  });
});
