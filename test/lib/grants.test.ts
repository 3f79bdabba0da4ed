/** Each function may do exactly what its handler does: declared, granted and called are the same set. */

import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { createBatchCounter } from '../../functions/stream/count-batch.ts';
import type { Access, Route } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { respondentHash } from '../../shared/crypto/identity-hash.ts';
import { createHistoryFolds } from '../../shared/data/answers/history-folds.ts';
import { createTotalsStore } from '../../shared/data/answers/totals.ts';
import { createTable } from '../../shared/data/table/table.ts';
import { grantedActions } from '../support/granted-actions.ts';
import { createRecordingClient } from '../support/recording-client.ts';
import { seedAnswers, TEST_SHARDS } from '../support/seed-answers.ts';
import { aTemplate } from '../support/synthesised-stack.ts';
import { START } from '../support/test-clock.ts';
import { createTestSecrets, TEST_HASH_SECRET } from '../support/test-secrets.ts';
import { createTestService } from '../support/test-service.ts';
import { type Scene, scenarios } from './route-scenarios.ts';

function declared(access: Access): string[] {
  const { table = [], byProject = [], byScoreState = [], secrets = [], erasureLog = [] } = access;
  return [
    ...erasureLog.map((action) => `dynamodb:${action} on erasureLog`),
    ...(access.startsPurge === true ? ['states:StartExecution on purge'] : []),
    ...table.map((action) => `dynamodb:${action} on table`),
    ...byProject.map((action) => `dynamodb:${action} on by_project`),
    ...byScoreState.map((action) => `dynamodb:${action} on by_score_state`),
    ...secrets.map((name) => `secretsmanager:GetSecretValue on ${name}`),
  ].sort();
}

const COUNTING = 'dynamodb:UpdateItem on table where key is P#*#RATE#*';

/** Counting requests and the use of keys, which happens now and then on any route with a key. */
const counting = ({ key }: Route) => (key === undefined ? [] : [COUNTING]);

/** What is granted for it: nothing more where the whole table may be updated anyway. */
const grantedCounting = (route: Route) =>
  route.access.table?.includes('UpdateItem') === true ? [] : counting(route);

const ownLog = (name: string) => [
  `logs:CreateLogStream on log of /canvass/test/${name}`,
  `logs:PutLogEvents on log of /canvass/test/${name}`,
];

async function record(): Promise<Scene & { readonly calls: () => string[] }> {
  const other = await createTestService();
  const { client, take } = createRecordingClient(other.table.endpoint);
  const { erasureLogTableName } = other.table;
  const others: string[] = [];
  const secrets = createTestSecrets();
  const service = await createTestService({
    table: other.table,
    client,
    starter: {
      async start() {
        others.push('states:StartExecution on purge');
        return 'execution';
      },
    },
    secrets: {
      async readHashSecret() {
        others.push('secretsmanager:GetSecretValue on hashSecret');
        return secrets.readHashSecret();
      },
      async readTokenRing() {
        others.push('secretsmanager:GetSecretValue on tokenRing');
        return secrets.readTokenRing();
      },
    },
  });
  const tenant = await other.tenant();
  const called = () =>
    take().flatMap(({ actions, isCounting, table, index }) => {
      const place = index ?? (table === erasureLogTableName ? 'erasureLog' : 'table');
      const where = isCounting ? ' where key is P#*#RATE#*' : '';
      return actions.map((action) => `dynamodb:${action} on ${place}${where}`);
    });
  return {
    service,
    other,
    tenant,
    surveyId: tenant.surveys[0]?.id ?? '',
    calls: () => [...new Set([...called(), ...others])].sort(),
  };
}

describe('grants', () => {
  let template: Template;
  beforeAll(() => {
    template = aTemplate();
  });

  const served: readonly Route[] = [...ROUTES, unknownPathRoute];
  it.each(served)('$name: granted is what the route table declares, counting, and its own log', (route) => {
    expect(grantedActions(template, route.name)).toEqual(
      [...declared(route.access), ...grantedCounting(route), ...ownLog(route.name)].sort(),
    );
  });

  it.each(ROUTES)('$name: called is what is declared', async (route) => {
    const scene = await record();
    const { run, statuses } = scenarios.get(route.name) ?? {};
    const replied = (await run?.(scene))?.map(({ status }) => status) ?? [];
    const allowed = [...declared(route.access), ...(route.key === 'secret' ? counting(route) : [])].sort();
    if (statuses === undefined) {
      expect(replied.filter((status) => status < 500)).toHaveLength(2);
      expect(allowed).toEqual(expect.arrayContaining(scene.calls()));
    } else {
      expect(replied).toEqual(statuses);
      expect(scene.calls()).toEqual(allowed);
    }
  });

  it('fold-histories: granted is what folding calls, reading its stream, and its own log', async () => {
    const { other, tenant, surveyId } = await record();
    const { client, take } = createRecordingClient(other.table.endpoint);
    const projectId = tenant.project.id;
    const DAYS_MS = 86_400_000;
    await seedAnswers(other.table, {
      projectId,
      surveyIds: [surveyId],
      count: 4,
      respondentOf: () => 'ann',
      momentOf: (index) => START - (100 - index) * DAYS_MS,
    });
    const table = createTable(client, { name: other.table.tableName });
    const folds = createHistoryFolds(table, TEST_SHARDS);
    const target = { projectId, respondentHash: respondentHash(TEST_HASH_SECRET, projectId, 'ann') };
    for (const age of [67, 0]) await folds.fold(target, START - age * DAYS_MS);
    expect([...new Set(take().flatMap(({ actions }) => actions))].sort()).toEqual([
      'ConditionCheckItem',
      'GetItem',
      'Query',
      'UpdateItem',
    ]);
    expect(grantedActions(template, 'fold-histories')).toEqual(
      [
        ...['ConditionCheckItem', 'GetItem', 'Query', 'UpdateItem'].map(
          (action) => `dynamodb:${action} on table`,
        ),
        ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
          (action) => `dynamodb:${action} on stream`,
        ),
        ...ownLog('fold-histories'),
      ].sort(),
    );
  });

  it('count-answers: granted is what counting calls, reading its stream, reporting failures, and its own log', async () => {
    const { other, tenant, surveyId, service } = await record();
    const { client, take } = createRecordingClient(service.table.endpoint);
    const table = createTable(client, { name: other.table.tableName });
    const totals = createTotalsStore({ table, clock: Date.now });
    const image = {
      type: 'response',
      source: 'sdk',
      projectId: tenant.project.id,
      surveyId,
      at: '2026-11-20',
    };
    const NewImage = Object.fromEntries(Object.entries(image).map(([field, S]) => [field, { S }]));
    await createBatchCounter(totals)({
      Records: [{ eventID: '1', eventName: 'INSERT', dynamodb: { NewImage } }],
    });
    const called = [...new Set(take().flatMap(({ actions }) => actions))];
    expect(called).toEqual(['PutItem', 'UpdateItem']);
    expect(grantedActions(template, 'count-answers')).toEqual(
      [
        'dynamodb:PutItem on table where key is COUNTED#* or unknown',
        'dynamodb:UpdateItem on table',
        ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
          (action) => `dynamodb:${action} on stream`,
        ),
        'sqs:SendMessage on queue',
        ...ownLog('count-answers'),
      ].sort(),
    );
  });
});
