import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AnswerCounter } from './answer-counter.ts';
import { ServiceApi } from './api.ts';
import { ErasureLogTable } from './erasure-log.ts';
import { HistoryFolder } from './history-folder.ts';
import { Observability } from './observability.ts';
import { Purge } from './purge.ts';
import { ScoreAdapter } from './score-adapter.ts';
import { ServiceSecrets } from './secrets.ts';
import type { DeploymentSettings } from './settings.ts';
import { ServiceTable } from './table.ts';

/** One stage of Canvass, in whichever account and region it is deployed to. */
export class CanvassStack extends Stack {
  constructor(scope: Construct, settings: DeploymentSettings) {
    const stackName = `${settings.name}-${settings.stage}`;
    super(scope, stackName, {
      stackName,
      description: `Canvass, in-product rating surveys (${settings.stage})`,
      terminationProtection: settings.removalPolicy === 'retain',
    });
    const table = new ServiceTable(this, 'Data', settings);
    const secrets = new ServiceSecrets(this, 'Secrets', settings);
    const backends = { table, secrets, settings };
    const erasureLog = new ErasureLogTable(this, 'Erasures', settings);
    const purge = new Purge(this, 'Purge', backends, erasureLog);
    const api = new ServiceApi(this, 'Api', { ...backends, erasure: { log: erasureLog, purge } });
    const counter = new AnswerCounter(this, 'Answers', backends);
    const schedule = settings.scoreAdapter;
    const scores = schedule && new ScoreAdapter(this, 'Scores', { backends, apiUrl: api.url, schedule });
    const folder = new HistoryFolder(this, 'Histories', backends);
    new Observability(this, 'Observability', { api, counter, folder, purge, scores, settings });

    // The operator CLI finds a deployment by these.
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
