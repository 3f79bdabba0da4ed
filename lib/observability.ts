import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { refusalsOf } from '../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../shared/contract/routes.ts';
import type { MetricName } from '../shared/settings/metrics.ts';
import { type AlarmCondition, alarmConditions, serviceMetric } from './alarm-conditions.ts';
import type { AnswerCounter } from './answer-counter.ts';
import type { ServiceApi } from './api.ts';
import type { HistoryFolder } from './history-folder.ts';
import type { Purge } from './purge.ts';
import { type ScoreAdapter, scoreMetric } from './score-adapter.ts';
import { type DeploymentSettings, metricsNamespace } from './settings.ts';

interface ObservabilityProps {
  readonly api: ServiceApi;
  readonly counter: AnswerCounter;
  readonly folder: HistoryFolder;
  readonly purge: Purge;
  /** Absent unless the stage asks for it. */
  readonly scores: ScoreAdapter | undefined;
  readonly settings: DeploymentSettings;
}

const GATES: readonly MetricName[] = [
  'gated_suppressed',
  'gated_quiet_period',
  'gated_monthly_cap',
  'gated_survey_maximum',
  'gated_project_quota',
  'history_too_long',
];

/** The dashboard, the alarms, and the topic that they tell. */
export class Observability extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { api, counter, folder, purge, scores, settings }: ObservabilityProps,
  ) {
    super(scope, id);
    const namespace = metricsNamespace(settings);
    const topic = new Topic(this, 'Alarms', {
      displayName: `Canvass alarms (${settings.stage})`,
      enforceSSL: true,
    });
    if (settings.alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(settings.alarmEmail));
    const background = [counter.function, folder.function, ...purge.functions];
    if (scores !== undefined) background.push(scores.function);
    const conditions = alarmConditions({ namespace, api, counter, background });
    const alarms = [
      ...conditions.map((condition) => this.#alarm(condition, settings)),
      purge.alarm,
      ...(scores?.alarms ?? []),
    ];
    for (const alarm of alarms) {
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }

    const routes = [...api.functions.keys()];
    const perRoute = (metric: MetricName, statistic: string = Stats.SUM) =>
      routes.map((route) => serviceMetric(namespace, metric, { route }, statistic).with({ label: route }));
    const plain = (...metrics: MetricName[]) => metrics.map((metric) => serviceMetric(namespace, metric));
    const graph = (title: string, left: IMetric[]) =>
      new GraphWidget({ title, left, width: 12, period: Duration.minutes(5) });
    const codes = new Set([...ROUTES, unknownPathRoute].flatMap((route) => refusalsOf(route)));
    const byCode = [...codes].map((code) =>
      serviceMetric(namespace, 'refused', { code }).with({ label: code }),
    );
    const dashboard = new Dashboard(this, 'Dashboard', { dashboardName: namespace });
    dashboard.addWidgets(new AlarmStatusWidget({ alarms, width: 24 }));
    dashboard.addWidgets(
      graph('Tokens issued', plain('issued')),
      graph('Gated, by reason', plain(...GATES)),
      graph('Answers accepted', perRoute('accepted')),
      graph('Refused, by code', byCode),
      graph('Latency, 99th percentile, ms', perRoute('latency', Stats.percentile(99))),
      graph('Cold starts', perRoute('cold_start')),
      graph('Oldest pending score, s', [serviceMetric(namespace, 'oldest_pending', {}, Stats.MAXIMUM)]),
      graph('Purges, by outcome', [...plain('purge_done', 'purge_failed'), purge.alarm.metric]),
      graph(
        'Requests without a limit; another userId than the token’s',
        plain('unmetered', 'respondent_mismatch'),
      ),
      graph('Replies too large to be carried', perRoute('reply_too_large')),
    );
    if (scores !== undefined) {
      const delivery = (['delivered', 'rejected'] as const).map((which) => scoreMetric(settings, which));
      dashboard.addWidgets(graph('Scores that the adapter delivered; that were rejected', delivery));
    }
  }

  #alarm(condition: AlarmCondition, settings: DeploymentSettings): Alarm {
    const { name, means, runbook, metric, threshold, periods, ignoresFewSamples } = condition;
    return new Alarm(this, name, {
      alarmName: `${metricsNamespace(settings)}-${name}`,
      alarmDescription: `${means}\nRunbook: ${settings.runbookUrl}#${runbook}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...(ignoresFewSamples === true && { evaluateLowSampleCountPercentile: 'ignore' }),
    });
  }
}
