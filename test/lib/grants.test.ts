import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { onChange } from '../../functions/on-change.ts';
import { compose } from '../../functions/runtime/compose.ts';
import { folds } from '../../functions/runtime/parts/answers.ts';
import { type Access, countsRequests, type Route } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { aRecord, aResponseRow } from '../support/fixtures/a-stream.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { START } from '../support/service/test-clock.ts';
import { createTestSecrets, TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import { createTestService, testConfig } from '../support/service/test-service.ts';
import { grantedActions, roleOf } from '../support/stack/granted-actions.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';
import { createRecordingClient } from '../support/stand-ins/recording-client.ts';
import { type Scene, scenarios } from './route-scenarios.ts';

function declared(access: Access): string[] {
  const {
    table = [],
    byProject = [],
    byScoreState = [],
    byContact = [],
    secrets = [],
    erasureLog = [],
  } = access;
  return [
    ...erasureLog.map((action) => `dynamodb:${action} on erasureLog`),
    ...(access.startsPurge === true ? ['states:StartExecution on purge'] : []),
    ...table.map((action) => `dynamodb:${action} on table`),
    ...byProject.map((action) => `dynamodb:${action} on by_project`),
    ...byScoreState.map((action) => `dynamodb:${action} on by_score_state`),
    ...byContact.map((action) => `dynamodb:${action} on by_contact`),
    ...secrets.map((name) => `secretsmanager:GetSecretValue on ${name}`),
  ].sort();
}

const COUNTING = 'dynamodb:UpdateItem on table where key is P#*#RATE#*';

/** Any route with a key sometimes counts requests and records key use. */
const counting = (route: Route) => (countsRequests(route) ? [COUNTING] : []);

/** The grants for counting. A route that may update the whole table needs none. */
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
  const template = aTemplate();

  const served: readonly Route[] = [...ROUTES, unknownPathRoute];
  const grantsOf = (route: Route) => [...declared(route.access), ...grantedCounting(route)].sort();
  const logsOf = (route: Route) =>
    served
      .filter((other) => isDeepStrictEqual(grantsOf(other), grantsOf(route)))
      .flatMap(({ name }) => ownLog(name));
  it.each(served)(
    '$name: has the permissions that the route table declares, for counting, and for the logs of routes with equal permissions',
    (route) => {
      expect(grantedActions(template, route.name)).toEqual([...grantsOf(route), ...logsOf(route)].sort());
    },
  );

  it('are in one role for all routes with equal ones', () => {
    const roles = new Set(served.map(({ name }) => roleOf(template, name)));
    expect(roles.size).toBe(new Set(served.map((route) => grantsOf(route).join())).size);
    expect(roles.size).toBeLessThan(served.length - 5);
  });

  it.each(ROUTES)('$name: calls exactly what it declares', async (route) => {
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

  it('on-change: has the permissions for counting and folding, its stream, failure reports and its own log', async () => {
    const { other, tenant, surveyId, service } = await record();
    const { client, take } = createRecordingClient(service.table.endpoint);
    const projectId = tenant.project.id;
    const DAYS_MS = 86_400_000;
    await seedAnswers(other.table, {
      projectId,
      surveyIds: [surveyId],
      count: 4,
      respondentOf: () => 'ann',
      momentOf: (index) => START - (100 - index) * DAYS_MS,
    });
    const target = { projectId, respondentHash: respondentHash(TEST_HASH_SECRET, projectId, 'ann') };
    const consumer = compose(testConfig(other.table), { client });
    for (const age of [67, 0]) await folds(consumer).fold(target, START - age * DAYS_MS);
    const row = { projectId, surveyId };
    await onChange(consumer)({
      Records: [aResponseRow(row), aResponseRow({ ...row, type: 'dismissal' })].map((after) =>
        aRecord(undefined, after),
      ),
    });
    await onChange(consumer)({
      Records: [aRecord(undefined, aResponseRow({ ...row, type: 'dismissal' }))],
    });
    const called = [...new Set(take().flatMap(({ actions }) => actions))].sort();
    expect(called).toEqual(['ConditionCheckItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem']);
    expect(grantedActions(template, 'on-change')).toEqual(
      [
        'dynamodb:PutItem on table where key is COUNTED#* or unknown',
        ...['ConditionCheckItem', 'GetItem', 'Query', 'UpdateItem'].map(
          (action) => `dynamodb:${action} on table`,
        ),
        ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
          (action) => `dynamodb:${action} on stream`,
        ),
        'sqs:SendMessage on queue',
        ...ownLog('on-change'),
      ].sort(),
    );
  });
});
