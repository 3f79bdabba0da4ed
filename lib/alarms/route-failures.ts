import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { pathsOf, type Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import type { ServiceApi } from '../api.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';
import type { AlarmCondition } from './alarm.ts';
import { accessLog } from './first-command.ts';

/** Routes that are so few of all requests that no share of these tells of them, and what their callers miss. */
const WATCHED: readonly (readonly [name: string, route: Route, misses: string])[] = [
  ['submit', routes.submitResponse, 'answers are not stored'],
  ['mint', routes.mintTokens, 'servers get no show-tokens'],
  ['erase', routes.erase, 'people are not erased'],
  ['results', routes.getResults, 'results are not read'],
];

/** Failures that alarm. */
const MOST = 3;
const SOON = Duration.minutes(15);
const LATE = Duration.hours(6);

/** Calls for each of which a busy route may fail once more within `LATE` before the slower of its two alarms goes off. */
const CALLS_A_FAILURE = 100_000;

/**
 * Lines of the access log: whatever the gateway answered 5xx, also where no function ran (out of time, throttled by
 * Lambda, no permission), and 429 where the gateway's own throttle refused.
 */
const FAILED = '(($.status = "5*") || ($.gatewayError = "Too Many Requests"))';

function failuresOf(route: Route): string {
  const paths = pathsOf(route).map(({ method, path }) => `($.route = "${method} ${path}")`);
  const its = paths.length === 1 ? paths[0] : `(${paths.join(' || ')})`;
  return `{ ${its} && ${FAILED} }`;
}

/**
 * One metric for each of these routes, counted in the access log by filters: it costs nothing while nothing fails, since
 * no value is written then (CloudWatch Logs, "Creating metrics from log events using filters"), where the gateway's own
 * metrics of a route are six, all the time (API Gateway, "Working with metrics for HTTP APIs").
 */
export class RouteFailures extends Construct {
  readonly conditions: readonly AlarmCondition[];

  constructor(scope: Construct, id: string, api: ServiceApi, settings: DeploymentSettings) {
    super(scope, id);
    const namespace = metricsNamespace(settings);
    const count = (name: string, pattern: string) => {
      const metricName = `${name}_failed`;
      new MetricFilter(this, name, {
        logGroup: api.accessLog,
        filterPattern: FilterPattern.literal(pattern),
        metricNamespace: namespace,
        metricName,
        metricValue: '1',
      });
      return (period: Duration) => new Metric({ namespace, metricName, statistic: Stats.SUM, period });
    };
    this.conditions = WATCHED.flatMap(([name, route, misses]) => {
      const pattern = failuresOf(route);
      const failed = count(name, pattern);
      const calls = api.functions.get(route.name)?.metricInvocations({ statistic: Stats.SUM });
      if (calls === undefined) throw new Error(`no function serves ${route.name}`);
      const asked = `${route.method} ${route.path}`;
      const common = { runbook: 'route-failures', first: accessLog(settings, pattern, '6h'), periods: 1 };
      return [
        soon({ name, asked, misses, failed, calls }),
        // With all alarms the calls are read as well.
        (settings.alarms === 'all' ? lateWithRoom : late)({ name, asked, misses, failed, calls }),
      ].map((condition) => ({ ...common, level: 'essential', ...condition }));
    });
  }
}

interface Watched {
  readonly name: string;
  /** What callers ask, and what they then miss. */
  readonly asked: string;
  readonly misses: string;
  readonly failed: (period: Duration) => Metric;
  /** Of its function. */
  readonly calls: Metric;
}

type Own = Omit<AlarmCondition, 'runbook' | 'first' | 'periods' | 'level'>;

const soon = ({ name, asked, misses, failed }: Watched): Own => ({
  name: `${name}-failures`,
  means: `Three calls of ${asked} or more failed within fifteen minutes: ${misses}.`,
  metric: failed(SOON),
  threshold: MOST,
});

/**
 * For calls that come seldom. The window of an alarm slides (CloudWatch, "Alarm evaluation window"): the third failure is
 * found wherever it lies on the clock. Where calls come by the million, single failures add up in six hours and this one
 * stays on; those of fifteen minutes do not.
 */
const late = ({ name, asked, misses, failed }: Watched): Own => ({
  name: `${name}-failures-quiet`,
  means: `Three calls of ${asked} or more failed within six hours: ${misses}.`,
  metric: failed(LATE),
  threshold: MOST,
});

/** With room for single failures of a busy route. */
function lateWithRoom({ name, asked, misses, failed, calls }: Watched): Own {
  const spare = new MathExpression({
    expression: `-1 * calls / ${CALLS_A_FAILURE}`,
    usingMetrics: { calls },
    period: LATE,
  });
  return {
    name: `${name}-failures-quiet`,
    means: `Three calls of ${asked} or more, one more for each 100,000, failed within six hours: ${misses}.`,
    metric: new MathExpression({
      expression: 'SUM([failed, spare])',
      usingMetrics: { failed: failed(LATE), spare },
      period: LATE,
    }),
    threshold: MOST - 0.5,
  };
}
