import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Route } from '../shared/contract/route.ts';
import { WEBHOOKS_OUTPUT } from '../shared/settings/stack-outputs.ts';
import { VERSION } from '../shared/settings/version.ts';
import { ServiceApi } from './api.ts';
import { Backup } from './backup.ts';
import { Budget } from './budget.ts';
import { ServiceSecrets } from './data/secrets.ts';
import { ErasureLogTable, ServiceTable } from './data/table.ts';
import { Events } from './events.ts';
import { GradualDeployment } from './functions/gradual-deployment.ts';
import { knownAs } from './functions/service-function.ts';
import { Observability } from './observability.ts';
import { Probe } from './probe.ts';
import { Purge } from './purge.ts';
import { ScoreAdapter } from './score-adapter.ts';
import { applyAccountRules } from './settings/account-rules.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { SettingsError } from './settings/settings-error.ts';
import { slackWebhooksOf } from './settings/telling-settings.ts';
import { Slack } from './slack.ts';
import { StreamConsumer } from './stream-consumer.ts';
import { WeeklyDigest } from './weekly-digest.ts';

export interface Service {
  readonly api: ServiceApi;
  readonly table: ServiceTable;
  readonly functions: ReadonlyMap<string, IFunction>;
  readonly alarmTopic: ITopic;
}

function refuseStrays(
  { concurrency }: DeploymentSettings,
  functions: ReadonlyMap<string, IFunction>,
  path: string,
): void {
  const strays = Object.keys(concurrency).filter((name) => !functions.has(name));
  if (strays.length === 0) return;
  const known = [...functions.keys()].join(', ');
  throw new SettingsError(
    `${path}: concurrency contains unknown functions: ${strays.join(', ')}. Valid names: ${known}.`,
  );
}

/** Creates a stage directly under `scope`, whose id is part of every logical id unless it is "Default". */
export function createService(
  scope: Construct,
  settings: DeploymentSettings,
  routes: readonly Route[],
  alarmTopic?: ITopic,
): Service {
  applyAccountRules(scope, settings);
  const table = new ServiceTable(scope, 'Data', settings);
  const secrets = new ServiceSecrets(scope, 'Secrets', settings);
  const shared = { table, secrets, settings };
  const events = settings.events && new Events(scope, 'Events', shared, settings.events);
  const backends = { ...shared, events };
  const erasureLog = new ErasureLogTable(scope, 'Erasures', settings);
  const purge = new Purge(scope, 'Purge', backends, erasureLog);
  const api = new ServiceApi(scope, 'Api', { ...backends, erasure: { log: erasureLog, purge } }, routes);
  const consumer = new StreamConsumer(scope, 'Answers', backends);
  const schedule = settings.scoreAdapter;
  const scores = schedule && new ScoreAdapter(scope, 'Scores', { backends, schedule });
  if (scores !== undefined) consumer.wake(scores.function);
  const { probe: probed } = settings;
  const probe = probed && new Probe(scope, 'Probe', { backends, probe: probed, url: api.url });
  const digest =
    settings.digest && new WeeklyDigest(scope, 'Digest', { backends, digest: settings.digest, url: api.url });
  const channels = slackWebhooksOf(settings.webhooks);
  const slack =
    events && channels.length > 0
      ? new Slack(scope, 'Slack', { backends, channels, bus: events.bus, url: api.url })
      : undefined;
  const background = new Map([['on-change', consumer.function], ...purge.functions]);
  if (scores !== undefined) background.set('push-scores', scores.function);
  if (events !== undefined) background.set('send-events', events.function);
  if (slack !== undefined) background.set('send-slack', slack.function);
  if (digest !== undefined) background.set('weekly-digest', digest.function);
  const functions = new Map(api.functions);
  for (const [name, each] of background) functions.set(knownAs(name), each);
  if (probe !== undefined) functions.set('probe', probe.function);
  refuseStrays(settings, functions, scope.node.path);
  const backup =
    settings.backup &&
    new Backup(scope, 'Backup', {
      backup: settings.backup,
      settings,
      tableArns: [table.arn, erasureLog.arn],
    });
  const parts = [purge, scores, events, probe, digest, slack, backup];
  const ofParts = parts.flatMap((part) => part?.alarms ?? []);
  const watched = { api, table, consumer, purge, scores, background, ofParts, settings, alarmTopic };
  const { topic, alarms } = new Observability(scope, 'Observability', watched);
  backup?.tellFailures(topic);
  if (settings.budget !== undefined) new Budget(scope, 'Budget', settings, settings.budget, api.functions);
  if (api.aliases.size > 0) new GradualDeployment(scope, 'Deployment', api.aliases, alarms);

  const output = (key: string, value: string) => new CfnOutput(scope, key, { value });
  output('ApiUrl', api.url);
  if (api.domain?.target !== undefined) output('DomainTarget', api.domain.target);
  output('TableName', table.name);
  output('HashSecretName', secrets.names.hashSecret);
  output('TokenRingName', secrets.names.tokenRing);
  output('ErasureLogTableName', erasureLog.name);
  output('PurgeStateMachineArn', purge.stateMachineArn);
  output('Version', VERSION);
  output('Stage', settings.stage);
  output('KeyAbbreviation', settings.keyAbbreviation);
  output('IndexShards', String(settings.indexShards));
  if (scores !== undefined) output('ScoreAdapterSecretName', scores.secretName);
  const resending = events?.webhooks.map(({ resending }) => resending) ?? [];
  if (resending.length > 0) output(WEBHOOKS_OUTPUT, Stack.of(scope).toJsonString(resending));
  if (digest !== undefined) output('DigestTopicArn', digest.topic.topicArn);
  if (backup !== undefined && settings.backup !== undefined) {
    output('BackupVaultName', backup.vaultName);
    output('BackupRoleArn', backup.roleArn);
    output('BackupCopyVaultArn', settings.backup.copyToVaultArn);
  }
  return { api, table, functions, alarmTopic: topic };
}
