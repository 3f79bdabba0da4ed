import { CfnOutput } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Route } from '../shared/contract/route.ts';
import { ServiceApi } from './api.ts';
import { ErasureLogTable } from './data/erasure-log.ts';
import { ServiceSecrets } from './data/secrets.ts';
import { ServiceTable } from './data/table.ts';
import { Events } from './events.ts';
import { GradualDeployment } from './functions/gradual-deployment.ts';
import { Observability } from './observability.ts';
import { Purge } from './purge.ts';
import { ScoreAdapter } from './score-adapter.ts';
import { applyAccountRules } from './settings/account-rules.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { StreamConsumer } from './stream-consumer.ts';

/** What others of an app may be connected to. */
export interface Service {
  readonly api: ServiceApi;
  readonly table: ServiceTable;
  readonly alarmTopic: ITopic;
}

/**
 * Makes the parts of a stage, data, functions, gateway and alarms, right under `scope`, whose id is in every logical id
 * unless it is "Default"; and the outputs by which the operator CLI finds them.
 * @param alarmTopic in place of one of its own
 */
export function createService(
  scope: Construct,
  settings: DeploymentSettings,
  routes: readonly Route[],
  alarmTopic?: ITopic,
): Service {
  applyAccountRules(scope, settings);
  const table = new ServiceTable(scope, 'Data', settings);
  const secrets = new ServiceSecrets(scope, 'Secrets', settings);
  const parts = { table, secrets, settings };
  const events = settings.events && new Events(scope, 'Events', parts, settings.events);
  const backends = { ...parts, events };
  const erasureLog = new ErasureLogTable(scope, 'Erasures', settings);
  const purge = new Purge(scope, 'Purge', backends, erasureLog);
  const api = new ServiceApi(scope, 'Api', { ...backends, erasure: { log: erasureLog, purge } }, routes);
  const consumer = new StreamConsumer(scope, 'Answers', backends);
  const schedule = settings.scoreAdapter;
  const scores = schedule && new ScoreAdapter(scope, 'Scores', { backends, schedule });
  if (scores !== undefined) consumer.wake(scores.function);
  const watched = { api, table, consumer, purge, scores, events, settings, alarmTopic };
  const { topic, alarms } = new Observability(scope, 'Observability', watched);
  if (api.aliases.size > 0) new GradualDeployment(scope, 'Deployment', api.aliases, alarms);

  const output = (key: string, value: string) => new CfnOutput(scope, key, { value });
  output('ApiUrl', api.url);
  output('TableName', table.name);
  output('HashSecretName', secrets.names.hashSecret);
  output('TokenRingName', secrets.names.tokenRing);
  output('ErasureLogTableName', erasureLog.name);
  output('PurgeStateMachineArn', purge.stateMachineArn);
  output('Stage', settings.stage);
  output('KeyAbbreviation', settings.keyAbbreviation);
  output('IndexShards', String(settings.indexShards));
  if (scores !== undefined) output('ScoreAdapterSecretName', scores.secretName);
  return { api, table, alarmTopic: topic };
}
