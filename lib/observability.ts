import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { createAlarm, isWanted } from './alarms/alarm.ts';
import { AlarmTopic, takeTopic, tell } from './alarms/alarm-topic.ts';
import { dataConditions, functionConditions, requestConditions } from './alarms/conditions.ts';
import { RouteFailures } from './alarms/route-failures.ts';
import type { ServiceApi } from './api.ts';
import type { Backup } from './backup.ts';
import { createDashboard } from './dashboard.ts';
import type { ServiceTable } from './data/table.ts';
import type { Events } from './events.ts';
import { deploymentCondition } from './functions/gradual-deployment.ts';
import type { Probe } from './probe.ts';
import type { Purge } from './purge.ts';
import type { ScoreAdapter } from './score-adapter.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import type { Slack } from './slack.ts';
import type { StreamConsumer } from './stream-consumer.ts';
import type { WeeklyDigest } from './weekly-digest.ts';

interface ObservabilityProps {
  readonly api: ServiceApi;
  readonly table: ServiceTable;
  readonly consumer: StreamConsumer;
  readonly purge: Purge;
  readonly scores: ScoreAdapter | undefined;
  readonly events: Events | undefined;
  readonly probe: Probe | undefined;
  readonly digest: WeeklyDigest | undefined;
  readonly slack: Slack | undefined;
  readonly backup: Backup | undefined;
  readonly settings: DeploymentSettings;
  readonly alarmTopic: ITopic | undefined;
}

export class Observability extends Construct {
  readonly topic: ITopic;
  readonly alarms: ReadonlyMap<string, Alarm>;

  constructor(
    scope: Construct,
    id: string,
    {
      api,
      table,
      consumer,
      purge,
      scores,
      events,
      probe,
      digest,
      slack,
      backup,
      settings,
      alarmTopic,
    }: ObservabilityProps,
  ) {
    super(scope, id);
    const topic =
      alarmTopic === undefined
        ? new AlarmTopic(this, 'Alarms', settings, settings.kmsKeyArn)
        : takeTopic(alarmTopic, settings);
    this.topic = topic;
    const aliases = [...api.aliases.values()];
    const background = new Map([['on-change', consumer.function], ...purge.functions]);
    if (scores !== undefined) background.set('push-scores', scores.function);
    if (events !== undefined) background.set('send-events', events.function);
    if (slack !== undefined) background.set('send-slack', slack.function);
    if (digest !== undefined) background.set('weekly-digest', digest.function);
    const conditions = [
      ...requestConditions(settings, api),
      ...new RouteFailures(this, 'Routes', api, settings).conditions,
      ...functionConditions(api, background, settings),
      ...dataConditions({ settings, table, consumer, topic }),
      ...(aliases.length === 0 ? [] : [deploymentCondition(aliases)]),
    ].filter((condition) => isWanted(condition, settings));
    this.alarms = new Map(
      conditions.map((condition) => [condition.name, createAlarm(this, condition.name, settings, condition)]),
    );
    const alarms = [
      ...this.alarms.values(),
      purge.alarm,
      purge.overdue,
      ...(scores?.alarms ?? []),
      ...(events?.alarms ?? []),
      ...(probe === undefined ? [] : [probe.alarm]),
      ...(digest?.alarms ?? []),
      ...(slack === undefined ? [] : [slack.alarm]),
      ...(backup === undefined ? [] : [backup.alarm]),
    ];
    backup?.tellFailures(topic);
    tell(topic, alarms);

    if (settings.dashboard) createDashboard(this, alarms, { api, purge, scores, settings });
  }
}
