import { Aws, Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { refusalsOf } from '../shared/contract/route.ts';
import { METRICS, type MetricName } from '../shared/settings/metrics.ts';
import { createAlarm, isWanted } from './alarms/alarm.ts';
import { AlarmTopic, takeTopic, tell } from './alarms/alarm-topic.ts';
import { dataConditions } from './alarms/data-alarms.ts';
import { functionConditions } from './alarms/function-alarms.ts';
import { requestConditions } from './alarms/request-alarms.ts';
import { scoreMetric } from './alarms/score-alarms.ts';
import type { ServiceApi } from './api.ts';
import type { ServiceTable } from './data/table.ts';
import type { Events } from './events.ts';
import { deploymentCondition } from './functions/gradual-deployment.ts';
import { serviceMetric } from './functions/service-metric.ts';
import type { Purge } from './purge.ts';
import type { ScoreAdapter } from './score-adapter.ts';
import { type DeploymentSettings, metricsNamespace } from './settings/settings.ts';
import type { StreamConsumer } from './stream-consumer.ts';

interface ObservabilityProps {
  readonly api: ServiceApi;
  readonly table: ServiceTable;
  readonly consumer: StreamConsumer;
  readonly purge: Purge;
  /** Absent unless the stage asks for it. */
  readonly scores: ScoreAdapter | undefined;
  readonly events: Events | undefined;
  readonly settings: DeploymentSettings;
  /** In place of one of its own. */
  readonly alarmTopic: ITopic | undefined;
}

const isMetricName = (name: string): name is MetricName => name in METRICS;

const METRIC_NAMES = Object.keys(METRICS).filter(isMetricName);

/** One for each gate. */
const GATED = METRIC_NAMES.filter((name) => name.startsWith('gated_'));

/** Metrics without a dimension that have a graph of their own, or share one by their meaning. */
const GRAPHED: readonly MetricName[] = [
  'issued',
  ...GATED,
  'oldest_pending',
  'purge_done',
  'purge_failed',
  'events_waited',
];

/** The other metrics without a dimension: a new one is shown without a line here. */
const OTHERS = METRIC_NAMES.filter((name) => !('by' in METRICS[name]) && !GRAPHED.includes(name));

/** The dashboard, the alarms, and the topic that they tell. */
export class Observability extends Construct {
  readonly topic: ITopic;
  /** By name; not those of purges, the score adapter and events, which are made beside what they watch. */
  readonly alarms: ReadonlyMap<string, Alarm>;

  constructor(
    scope: Construct,
    id: string,
    { api, table, consumer, purge, scores, events, settings, alarmTopic }: ObservabilityProps,
  ) {
    super(scope, id);
    const namespace = metricsNamespace(settings);
    const topic =
      alarmTopic === undefined
        ? new AlarmTopic(this, 'Alarms', settings, settings.kmsKeyArn)
        : takeTopic(alarmTopic, settings);
    this.topic = topic;
    const aliases = [...api.aliases.values()];
    const background = [consumer.function, ...purge.functions];
    if (scores !== undefined) background.push(scores.function);
    if (events !== undefined) background.push(events.function);
    const conditions = [
      ...requestConditions(namespace, api),
      ...functionConditions(api, background),
      ...dataConditions({ namespace, table, consumer, topic }),
      ...(aliases.length === 0 ? [] : [deploymentCondition(aliases)]),
    ].filter((condition) => isWanted(condition, settings));
    this.alarms = new Map(
      conditions.map((condition) => [condition.name, createAlarm(this, condition.name, condition, settings)]),
    );
    const alarms = [
      ...this.alarms.values(),
      purge.alarm,
      ...(scores?.alarms ?? []),
      ...(events?.alarms ?? []),
    ];
    tell(topic, alarms);

    const routes = [...api.functions.keys()];
    const perRoute = (metric: MetricName, statistic: string = Stats.SUM) =>
      routes.map((route) => serviceMetric(namespace, metric, { route }, statistic).with({ label: route }));
    const plain = (...metrics: MetricName[]) => metrics.map((metric) => serviceMetric(namespace, metric));
    const graph = (title: string, left: IMetric[]) =>
      new GraphWidget({ title, left, width: 12, period: Duration.minutes(5) });
    const codes = new Set(api.routes.flatMap((route) => refusalsOf(route)));
    const byCode = [...codes].map((code) =>
      serviceMetric(namespace, 'refused', { code }).with({ label: code }),
    );
    // Dashboards are of an account, not of a region: a name of its own in each (CloudWatch, "Using dashboards").
    const dashboard = new Dashboard(this, 'Dashboard', { dashboardName: `${namespace}-${Aws.REGION}` });
    dashboard.addWidgets(new AlarmStatusWidget({ alarms, width: 24 }));
    dashboard.addWidgets(
      graph('Tokens issued', plain('issued')),
      graph('Gated, by reason', plain(...GATED)),
      graph('Answers accepted', perRoute('accepted')),
      graph('Refused, by code', byCode),
      graph('Latency, 99th percentile, ms', perRoute('latency', Stats.percentile(99))),
      graph('Cold starts', perRoute('cold_start')),
      graph(
        'Oldest pending score, oldest event that waits for the bus, s',
        (['oldest_pending', 'events_waited'] as const).map((name) =>
          serviceMetric(namespace, name, {}, Stats.MAXIMUM),
        ),
      ),
      graph('Purges, by outcome', [...plain('purge_done', 'purge_failed'), purge.alarm.metric]),
      graph('Replies too large to be carried', perRoute('reply_too_large')),
      graph('Everything else that is counted', plain(...OTHERS)),
    );
    if (scores !== undefined) {
      const delivery = (['delivered', 'rejected'] as const).map((which) => scoreMetric(settings, which));
      dashboard.addWidgets(graph('Scores that the adapter delivered; that were rejected', delivery));
    }
  }
}
