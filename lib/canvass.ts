import { CfnOutput } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Route } from '../shared/contract/route.ts';
import { ROUTES } from '../shared/contract/routes.ts';
import { applyAccountRules } from './account-rules.ts';
import { ServiceApi } from './api.ts';
import { ErasureLogTable } from './erasure-log.ts';
import { Events } from './events.ts';
import { GradualDeployment } from './gradual-deployment.ts';
import { Observability } from './observability.ts';
import { Purge } from './purge.ts';
import { ScoreAdapter } from './score-adapter.ts';
import { ServiceSecrets } from './secrets.ts';
import { HANDLERS } from './service-function.ts';
import type { DeploymentSettings } from './settings.ts';
import { StreamConsumer } from './stream-consumer.ts';
import { ServiceTable } from './table.ts';

interface Served {
  /** The route table; by default the service's own. */
  readonly routes?: readonly Route[];
  /** Folder with an entry file for each function; by default the service's own. */
  readonly handlers?: string;
}

/** One stage of Canvass: data, functions, gateway, alarms, and the outputs by which the operator CLI finds them. */
export class Canvass extends Construct {
  readonly api: ServiceApi;
  readonly table: ServiceTable;
  /** Where alarms go. */
  readonly alarmTopic: ITopic;

  constructor(
    scope: Construct,
    id: string,
    settings: DeploymentSettings,
    { routes = ROUTES, handlers = HANDLERS }: Served = {},
  ) {
    super(scope, id);
    applyAccountRules(this, settings);
    const table = new ServiceTable(this, 'Data', settings);
    const secrets = new ServiceSecrets(this, 'Secrets', settings);
    const parts = { table, secrets, settings, handlers };
    const events = settings.events && new Events(this, 'Events', parts, settings.events);
    const backends = { ...parts, events };
    const erasureLog = new ErasureLogTable(this, 'Erasures', settings);
    const purge = new Purge(this, 'Purge', backends, erasureLog);
    const api = new ServiceApi(this, 'Api', { ...backends, erasure: { log: erasureLog, purge } }, routes);
    const consumer = new StreamConsumer(this, 'Answers', backends);
    const schedule = settings.scoreAdapter;
    const scores = schedule && new ScoreAdapter(this, 'Scores', { backends, schedule });
    if (scores !== undefined) consumer.wake(scores.function);
    const watched = { api, table, consumer, purge, scores, events, settings };
    const { topic, alarms } = new Observability(this, 'Observability', watched);
    if (api.aliases.size > 0) new GradualDeployment(this, 'Deployment', api.aliases, alarms);
    this.alarmTopic = topic;
    this.api = api;
    this.table = table;

    const output = (key: string, value: string) => new CfnOutput(this, key, { value });
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
  }
}
