import { Aws, Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { refusalsOf } from '../shared/contract/route.ts';
import { METRICS, type MetricName } from '../shared/settings/metrics.ts';
import { serviceMetric } from './alarms/alarm.ts';
import type { ServiceApi } from './api.ts';
import type { Purge } from './purge.ts';
import { type ScoreAdapter, scoreMetric } from './score-adapter.ts';
import { type DeploymentSettings, metricsNamespace } from './settings/settings.ts';

interface Shown {
  readonly api: ServiceApi;
  readonly purge: Purge;
  readonly scores: ScoreAdapter | undefined;
  readonly settings: DeploymentSettings;
}

const isMetricName = (name: string): name is MetricName => name in METRICS;

const METRIC_NAMES = Object.keys(METRICS).filter(isMetricName);

const GATED = METRIC_NAMES.filter((name) => name.startsWith('gated_'));

const GRAPHED: readonly MetricName[] = [
  'issued',
  'accepted',
  ...GATED,
  'oldest_pending',
  'purge_done',
  'purge_failed',
];

const OF_EVENTS: readonly MetricName[] = ['events_waited', 'events_lost'];

const OTHERS = METRIC_NAMES.filter(
  (name) => !('by' in METRICS[name]) && !GRAPHED.includes(name) && !OF_EVENTS.includes(name),
);

export function createDashboard(
  scope: Construct,
  alarms: readonly Alarm[],
  { api, purge, scores, settings }: Shown,
): void {
  const namespace = metricsNamespace(settings);
  const routes = [...api.functions.keys()];
  const perRoute = (metric: MetricName, statistic: string = Stats.SUM) =>
    routes.map((route) => serviceMetric(namespace, metric, { route }, statistic).with({ label: route }));
  const plain = (...metrics: MetricName[]) => metrics.map((metric) => serviceMetric(namespace, metric));
  const oldest = (metric: MetricName) => serviceMetric(namespace, metric, {}, Stats.MAXIMUM);
  const graph = (title: string, left: IMetric[]) =>
    new GraphWidget({ title, left, width: 12, period: Duration.minutes(5) });
  const codes = new Set(api.routes.flatMap((route) => refusalsOf(route)));
  const byCode = [...codes].map((code) =>
    serviceMetric(namespace, 'refused', { code }).with({ label: code }),
  );
  // Dashboard names are unique across regions (CloudWatch, "Using dashboards").
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName: `${namespace}-${Aws.REGION}` });
  dashboard.addWidgets(new AlarmStatusWidget({ alarms: [...alarms], width: 24 }));
  dashboard.addWidgets(
    graph('Tokens issued', plain('issued')),
    graph('Gated, by reason', plain(...GATED)),
    graph('Answers accepted', plain('accepted')),
    graph('Refused, by code', byCode),
    graph('Latency, 99th percentile, ms', perRoute('latency', Stats.percentile(99))),
    graph('Cold starts', perRoute('cold_start')),
    graph('Oldest pending score, s', [oldest('oldest_pending')]),
    graph('Purges, by outcome', [...plain('purge_done', 'purge_failed'), purge.alarms[0].metric]),
    graph('Replies too large to be carried', perRoute('reply_too_large')),
    graph('Everything else that is counted', plain(...OTHERS)),
  );
  if (settings.events !== undefined) {
    dashboard.addWidgets(
      graph('Oldest event that waits for the bus, s', [oldest('events_waited')]),
      graph('Events that were lost', plain('events_lost')),
    );
  }
  if (scores !== undefined) {
    const delivery = (['delivered', 'rejected', 'failed'] as const).map((which) =>
      scoreMetric(settings, which),
    );
    dashboard.addWidgets(
      graph('Scores that the adapter delivered; that were rejected; runs that failed', delivery),
    );
  }
}
