import aslValidator from 'asl-validator';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { PURGE_STEP, type PurgeStep } from '../../functions/purge.ts';
import { compose } from '../../functions/runtime/compose.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { ROUTES } from '../../shared/contract/routes.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { createPurgeRecords } from '../../shared/data/privacy/purges.ts';
import { createRunLease } from '../../shared/data/scores/run-lease.ts';
import { PRESENT } from '../../shared/data/table/expressions.ts';
import { scorePushJob } from '../../shared/data/table/schema.ts';
import { DAY, HOUR } from '../../shared/domain/duration.ts';
import { executionName } from '../../shared/domain/purge.ts';
import {
  type PurgeStep as DeclaredStep,
  PURGE_STEPS,
  purgeDefinition,
  statesOf,
} from '../../shared/purge/state-machine.ts';
import { respond } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { keptFor } from '../support/fixtures/expiring.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { scanAll } from '../support/scan-all.ts';
import { START } from '../support/service/test-clock.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import { createTestService, testConfig } from '../support/service/test-service.ts';
import { grantedActions } from '../support/stack/granted-actions.ts';
import { aTemplate, logicalId } from '../support/stack/synthesised-stack.ts';
import { createRecordingClient } from '../support/stand-ins/recording-client.ts';

const {
  Begin: begin,
  Expire: expire,
  Finish: finish,
  RecordFailure: recordFailure,
  SweepShard: sweepShard,
  Verify: verify,
} = PURGE_STEP;

const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:step';

function deployedDefinition(template: Template): ReturnType<typeof purgeDefinition> {
  const id = logicalId(template, 'AWS::StepFunctions::StateMachine');
  const text = template.findResources('AWS::StepFunctions::StateMachine')[id]?.Properties.DefinitionString;
  const parts: (string | object)[] = text['Fn::Join'][1];
  return JSON.parse(parts.map((part) => (typeof part === 'string' ? part : ARN)).join(''));
}

const declared = ({
  access: { table = [], byProject = [], byScoreState = [], byContact = [], erasureLog = [] },
}: DeclaredStep) =>
  [
    ...erasureLog.map((action) => `dynamodb:${action} on erasureLog`),
    ...table.map((action) => `dynamodb:${action} on table`),
    ...byProject.map((action) => `dynamodb:${action} on by_project`),
    ...byScoreState.map((action) => `dynamodb:${action} on by_score_state`),
    ...byContact.map((action) => `dynamodb:${action} on by_contact`),
  ].sort();

describe('the purge', () => {
  const template = aTemplate();

  it('deploys the definition that runs locally, and that is valid', () => {
    const deployed = deployedDefinition(template);
    expect(deployed).toEqual(JSON.parse(JSON.stringify(purgeDefinition(() => ARN))));
    const { isValid, errorsText } = aslValidator(JSON.parse(JSON.stringify(deployed)));
    expect(errorsText?.('\n') ?? '').toBe('');
    expect(isValid).toBe(true);
    const broken = { ...deployed, StartAt: 'Nowhere' };
    expect(aslValidator(JSON.parse(JSON.stringify(broken))).isValid).toBe(false);
  });

  it('always ends in success or failure: every state has a time limit, and the machine has none', () => {
    const { States, ...whole } = deployedDefinition(template);
    expect(whole).not.toHaveProperty('TimeoutSeconds');
    type State = {
      Type: string;
      TimeoutSeconds?: number;
      Seconds?: number;
      ItemProcessor?: { States: object };
    };
    const statesIn = (states: object): State[] =>
      Object.values(states).flatMap((state: State) => [
        state,
        ...(state.ItemProcessor === undefined ? [] : statesIn(state.ItemProcessor.States)),
      ]);
    for (const { Type, TimeoutSeconds: most, Seconds } of statesIn(States)) {
      if (Type === 'Task') expect(most).toBeGreaterThan(0);
      if (Type === 'Wait') expect(Seconds).toBeGreaterThan(0);
    }
  });

  it('waits longer than settings are cached and a request may take', () => {
    const { Seconds } = purgeDefinition(() => ARN).States.WaitForCaches;
    expect(Seconds).toBeGreaterThan(30 + Math.max(...ROUTES.map(({ timeoutSeconds }) => timeoutSeconds)));
  });

  it('has tasks that wait longer than their function may run, retry throttling with back-off, and are caught', () => {
    const { States } = purgeDefinition(() => ARN);
    const { SweepShard } = States.SweepShards.ItemProcessor.States;
    const { ExpirePart } = States.ExpireParts.ItemProcessor.States;
    const { FindExpired, SumExpired } = States;
    for (const state of [
      ...[States.Begin, States.Verify, States.Finish, SweepShard],
      ...[FindExpired, ExpirePart, SumExpired],
    ]) {
      expect(state.Retry[0]).toMatchObject({ BackoffRate: 2, JitterStrategy: 'FULL' });
      expect(state.Retry[0]?.ErrorEquals).toContain('ThrottlingException');
    }
    for (const state of [States.Begin, States.SweepShards, States.Verify, States.Finish]) {
      expect(state.Catch).toEqual([
        { ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'RecordFailure' },
      ]);
    }
    for (const state of [FindExpired, States.ExpireParts, SumExpired])
      expect(state.Catch).toEqual([{ ErrorEquals: ['States.ALL'], Next: 'SweepFailed' }]);
    for (const [name, state] of Object.entries({ ...States, SweepShard, ExpirePart })) {
      if (!('TimeoutSeconds' in state)) continue;
      const step: DeclaredStep | undefined = Object.entries(PURGE_STEPS).find(([key]) =>
        statesOf(key).includes(name),
      )?.[1];
      expect(state.TimeoutSeconds).toBeGreaterThan(step?.timeoutSeconds ?? Number.NaN);
    }
  });

  it('purges 100 million answers far below the 25,000 events of an execution’s history', () => {
    const [shards, rowsPerSecond, sweepSeconds, eventsOfSweep] = [16, 500, 240, 8];
    const sweepsPerShard = Math.ceil(100_000_000 / shards / rowsPerSecond / sweepSeconds);
    expect(shards * sweepsPerShard * eventsOfSweep).toBeLessThan(10_000);
  });

  it('has execution names of at most 80 characters', () => {
    const scope = { projectId: 'f'.repeat(32), surveyId: `sv_${'f'.repeat(16)}` };
    expect(
      executionName(scope, { attempt: 9_999, openedAt: '2099-01-01T00:00:00.000Z' }).length,
    ).toBeLessThanOrEqual(80);
    expect(executionName(scope, { attempt: 1, openedAt: '2026-01-01T00:00:00.000Z' })).toMatch(
      /^[A-Za-z0-9_-]+$/,
    );
  });

  it('raises an alarm on a failed purge, with the runbook', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'canvass-test-purge-failed',
      AlarmDescription: Match.stringLikeRegexp('#purge-failed'),
      Namespace: 'AWS/States',
      MetricName: 'ExecutionsFailed',
      Statistic: 'Sum',
      Threshold: 1,
      EvaluationPeriods: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    });
  });

  it('has a separate log of erasures, recoverable and protected, whose entries expire', () => {
    const id = logicalId(template, 'AWS::DynamoDB::Table', '/Erasures/');
    expect(template.findResources('AWS::DynamoDB::Table')[id]).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      },
    });
  });

  it.each(Object.values(PURGE_STEPS))('$name: has the permissions it declares, and its own log', (step) => {
    const log = `log of /canvass/test/purge/${step.name}`;
    expect(grantedActions(template, `purge-${step.name}`)).toEqual(
      [...declared(step), `logs:CreateLogStream on ${log}`, `logs:PutLogEvents on ${log}`].sort(),
    );
  });

  it('has a state machine that may call its functions and nothing else', () => {
    const roles = Object.entries(template.findResources('AWS::IAM::Policy')).filter(([id]) =>
      id.startsWith('PurgeRole'),
    );
    const statements = roles.flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
    expect(new Set(statements.flatMap(({ Action }) => Action))).toEqual(new Set(['lambda:InvokeFunction']));
    expect(statements.flatMap(({ Resource }) => Resource)).toHaveLength(Object.keys(PURGE_STEPS).length);
  });

  it('calls exactly what is declared when it purges a person, a survey and its project, and when it fails', async () => {
    const service = await createTestService();
    const { erasureLogTableName, endpoint } = service.table;
    const { client, take } = createRecordingClient(endpoint);
    const composed = compose(testConfig(service.table), {
      client,
      clock: service.clock.now,
      log: createLogger(() => undefined),
    });
    const tenant = await service.tenant({}, [aSurvey(), aSurvey()]);
    for (const { id } of tenant.surveys) await respond(service, tenant, id, { surveyId: id });
    const called = new Map<string, Set<string>>();
    const call = async (step: keyof typeof PURGE_STEPS, create: PurgeStep, input: object) => {
      await create(composed)(input);
      const calls = take().flatMap(({ actions, table, index }) => {
        const place = index ?? (table === erasureLogTableName ? 'erasureLog' : 'table');
        return actions.map((action) => `dynamodb:${action} on ${place}`);
      });
      called.set(step, new Set([...(called.get(step) ?? []), ...calls]));
    };
    const projectId = tenant.project.id;
    const surveyId = tenant.surveys[0]?.id ?? '';
    const hash = respondentHash(TEST_HASH_SECRET, projectId, 'ann');
    /** Deletes the expired answers of a project. The score adapter has to delete the score of one of them. */
    async function expireEverything(step: (input: object) => Promise<void>): Promise<void> {
      const ended = await service.tenant({ retention: keptFor('35d') });
      const { id } = ended.project;
      await createRunLease(service.table.table, scorePushJob(id)).acquire('run', START, START);
      await seedAnswers(service.table, {
        projectId: id,
        surveyIds: [ended.surveys[0]?.id ?? ''],
        count: 1,
        momentOf: () => START - 40 * DAY,
        responseOf: () => ({ score: { state: 'failed', attempts: 1 } }),
      });
      const [row] = (await scanAll(service.table, id)).filter(({ type }) => type === 'response');
      const taken = { set: { withdrawn: true, revision: 1, rating: null } };
      await service.table.table.update({ pk: row?.pk, sk: row?.sk }, taken, PRESENT);
      const at = new Date(START).toISOString();
      await step({ sweep: { at } });
      await step({ sweep: { at, part: [id] } });
      await step({ sweep: { at, outcomes: [{ failed: false }] } });
    }
    // The token of one answer has expired, so its row is deleted. The other row stays, to keep its token used.
    await seedAnswers(service.table, {
      projectId,
      surveyIds: [surveyId],
      count: 2,
      respondentOf: () => 'ann',
      momentOf: (index) => START - index * HOUR,
    });
    for (const scope of [{ projectId, respondentHash: hash }, { projectId, surveyId }, { projectId }]) {
      await createPurgeRecords(service.table.table).request(scope, service.clock.now());
      await call('Begin', begin, scope);
      for (const shard of [0, 1, 2, 3]) await call('SweepShard', sweepShard, { ...scope, shard });
      await call('Verify', verify, scope);
      await call('RecordFailure', recordFailure, scope);
      await call('Finish', finish, scope);
    }
    await expireEverything((input) => call('Expire', expire, input));
    for (const [step, description] of Object.entries(PURGE_STEPS))
      expect([step, [...(called.get(step) ?? [])].sort()]).toEqual([step, declared(description)]);
  });
});
