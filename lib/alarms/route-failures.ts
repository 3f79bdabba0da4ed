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
      return [
        soon({ name, asked, misses, failed, calls }),
        (settings.alarms === 'all' ? lateWithRoom : late)({ name, asked, misses, failed, calls }),
      ].map((condition) => ({ ...common, ...condition }));
    });
  }
}

interface Watched {
  readonly name: string;
  readonly asked: string;
  readonly misses: string;
  readonly failed: (period: Duration) => Metric;
  readonly calls: readonly Metric[];
}

type Own = Omit<AlarmCondition, 'runbook' | 'first'>;

const soon = ({ name, asked, misses, failed }: Watched): Own => ({
  name: `${name}-failures`,
  means: `At least three calls of ${asked} failed within 15 minutes: ${misses}.`,
  metric: failed(SOON),
  threshold: MOST,
});

/**
 * The alarm's window slides (CloudWatch, "Alarm evaluation window"), so the alarm detects three failures wherever they
 * fall. With millions of calls, single failures add up in six hours and this alarm stays on.
 */
const late = ({ name, asked, misses, failed }: Watched): Own => ({
  name: `${name}-failures-quiet`,
  means: `At least three calls of ${asked} failed within six hours: ${misses}.`,
  metric: failed(LATE),
  threshold: MOST,
});

function lateWithRoom({ name, asked, misses, failed, calls }: Watched): Own {
  const ids = calls.map((_metric, index) => `calls${index}`);
  const spare = new MathExpression({
    expression: `-1 * SUM([${ids.join(', ')}]) / ${CALLS_A_FAILURE}`,
    usingMetrics: Object.fromEntries(calls.map((metric, index) => [`calls${index}`, metric])),
    period: LATE,
  });
  return {
    name: `${name}-failures-quiet`,
    means: `At least three calls of ${asked}, plus one for each 100,000, failed within six hours: ${misses}.`,
    metric: new MathExpression({
      expression: 'SUM([failed, spare])',
      usingMetrics: { failed: failed(LATE), spare },
      period: LATE,
    }),
    threshold: MOST - 0.5,
  };
}
