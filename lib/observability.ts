import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { createAlarm, isWanted } from './alarms/alarm.ts';
import { AlarmTopic, takeTopic, tell } from './alarms/alarm-topic.ts';
import { dataConditions, functionConditions, requestConditions } from './alarms/conditions.ts';
import { RouteFailures } from './alarms/route-failures.ts';
import type { ServiceApi } from './api.ts';
import { createDashboard } from './dashboard.ts';
import type { ServiceTable } from './data/table.ts';
import { deploymentCondition } from './functions/gradual-deployment.ts';
import type { Purge } from './purge.ts';
import type { ScoreAdapter } from './score-adapter.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import type { StreamConsumer } from './stream-consumer.ts';

interface ObservabilityProps {
  readonly api: ServiceApi;
  readonly table: ServiceTable;
  readonly consumer: StreamConsumer;
  readonly purge: Purge;
  readonly scores: ScoreAdapter | undefined;
  readonly background: ReadonlyMap<string, IFunction>;
  /** Alarms that other parts of the service created. */
  readonly ofParts: readonly Alarm[];
  readonly settings: DeploymentSettings;
  readonly alarmTopic: ITopic | undefined;
}

export class Observability extends Construct {
  readonly topic: ITopic;
  readonly alarms: ReadonlyMap<string, Alarm>;

  constructor(scope: Construct, id: string, props: ObservabilityProps) {
    super(scope, id);
    const { api, table, consumer, purge, scores, background, ofParts, settings, alarmTopic } = props;
    const topic =
      alarmTopic === undefined
        ? new AlarmTopic(this, 'Alarms', settings, settings.kmsKeyArn)
        : takeTopic(alarmTopic, settings);
    this.topic = topic;
    const aliases = [...api.aliases.values()];
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
    const alarms = [...this.alarms.values(), ...ofParts];
    tell(topic, alarms);

    if (settings.dashboard) createDashboard(this, alarms, { api, purge, scores, settings });
  }
}
