import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { pathsOf, type Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import type { ServiceApi } from '../api.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';
import { type AlarmCondition, accessLog } from './alarm.ts';

/** Routes with too few calls to affect the overall failure rate. */
const WATCHED: readonly (readonly [name: string, routes: readonly Route[], misses: string])[] = [
  ['submit', [routes.submitResponse, routes.answerLink], 'answers are not stored'],
  [
    'mint',
    [routes.mintTokens, routes.deferredAskLink, routes.showLink],
    'servers get no show-tokens or links, or links do not open',
  ],
  ['erase', [routes.erase], 'erasures are not carried out'],
  ['results', [routes.getResults], 'results cannot be read'],
];

const MOST = 3;
const SOON = Duration.minutes(15);
const LATE = Duration.hours(6);

/** With `alarms: 'all'`, the slower alarm tolerates one more failure for each 100,000 calls. */
const CALLS_A_FAILURE = 100_000;

/** Matches 5xx from the gateway, even if no function ran, and 429 from the gateway's own throttle. */
const FAILED = '(($.status = "5*") || ($.gatewayError = "Too Many Requests"))';

function failuresOf(watched: readonly Route[]): string {
  const paths = watched.flatMap(pathsOf).map(({ method, path }) => `($.route = "${method} ${path}")`);
  const its = paths.length === 1 ? paths[0] : `(${paths.join(' || ')})`;
  return `{ ${its} && ${FAILED} }`;
}

/**
 * Metric filters on the access log cost nothing as long as nothing fails (CloudWatch Logs, "Creating metrics from log
 * events using filters"). The gateway's route metrics always come as six (API Gateway, "Working with metrics for HTTP
 * APIs").
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
    this.conditions = WATCHED.flatMap(([name, watched, misses]) => {
      const pattern = failuresOf(watched);
      const failed = count(name, pattern);
      const serving = watched.flatMap((route) => api.functions.get(route.name) ?? []);
      const calls = serving.map((each) => each.metricInvocations({ statistic: Stats.SUM, period: LATE }));
      const asked = watched.map(({ method, path }) => `${method} ${path}`).join(' or ');
      const common = { runbook: 'route-failures', first: accessLog(settings, pattern, '6h') };
      const within = (time: string, tolerated = '') =>
        `At least three calls of ${asked}${tolerated} failed within ${time}: ${misses}.`;
      const soon = { name: `${name}-failures`, means: within('15 minutes'), metric: failed(SOON) };
      const late = { name: `${name}-failures-quiet`, means: within('six hours'), metric: failed(LATE) };
      const lateWithRoom = {
        ...late,
        means: within('six hours', ', plus one for each 100,000,'),
        metric: withRoom(failed(LATE), calls),
        threshold: MOST - 0.5,
      };
      // The window of an alarm slides (CloudWatch, "Alarm evaluation window"), so it finds three failures wherever they
      // fall. With millions of calls, single failures add up in six hours and the alarm stays on.
      const conditions = [soon, settings.alarms === 'all' ? lateWithRoom : late];
      return conditions.map((condition) => ({ threshold: MOST, ...common, ...condition }));
    });
  }
}

function withRoom(failed: Metric, calls: readonly Metric[]): MathExpression {
  const ids = calls.map((_metric, index) => `calls${index}`);
  const spare = new MathExpression({
    expression: `-1 * SUM([${ids.join(', ')}]) / ${CALLS_A_FAILURE}`,
    usingMetrics: Object.fromEntries(calls.map((metric, index) => [`calls${index}`, metric])),
    period: LATE,
  });
  return new MathExpression({
    expression: 'SUM([failed, spare])',
    usingMetrics: { failed, spare },
    period: LATE,
  });
}
