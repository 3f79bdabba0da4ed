/**
 * Purge: log and mark → wait for caches and requests → sweep every shard → wait for indexes → verify, sweep again while
 * rows remain → close the record.
 *
 * Daily sweep of expired answers: find projects → sweep some at a time → report failures. Purge steps refuse its input,
 * `sweep`.
 */

import type { Access } from '../contract/route.ts';
import { ROUTES } from '../contract/routes.ts';
import { SECOND } from '../domain/duration.ts';
import { SETTINGS_LIFETIME_MS } from '../domain/project.ts';
import { SWEEP_TIME_MS } from '../domain/purge.ts';

export interface PurgeStep {
  readonly name: string;
  readonly access: Access;
  readonly timeoutSeconds: number;
}

/** Time to retry the last batch if it is throttled. */
const SWEEP_GRACE_SECONDS = 120;

export const PURGE_STEPS = {
  Begin: { name: 'begin', access: { table: ['UpdateItem'], erasureLog: ['PutItem'] }, timeoutSeconds: 30 },
  SweepShard: {
    name: 'sweep-shard',
    access: {
      table: ['BatchGetItem', 'BatchWriteItem', 'UpdateItem', 'Query', 'PutItem', 'DeleteItem'],
      byProject: ['Query'],
      erasureLog: ['PutItem'],
    },
    timeoutSeconds: SWEEP_TIME_MS / SECOND + SWEEP_GRACE_SECONDS,
  },
  Verify: {
    name: 'verify',
    access: {
      table: ['BatchWriteItem', 'Query', 'UpdateItem'],
      byProject: ['Query'],
      byScoreState: ['Query'],
    },
    timeoutSeconds: 120,
  },
  Finish: {
    name: 'finish',
    access: {
      table: ['BatchWriteItem', 'Query', 'UpdateItem'],
      erasureLog: ['Query', 'BatchWriteItem'],
    },
    timeoutSeconds: 60,
  },
  RecordFailure: { name: 'record-failure', access: { table: ['UpdateItem'] }, timeoutSeconds: 30 },
  Expire: {
    name: 'expire',
    access: {
      table: ['BatchGetItem', 'BatchWriteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      byProject: ['Query'],
      queuesEvents: true,
    },
    timeoutSeconds: SWEEP_TIME_MS / SECOND + SWEEP_GRACE_SECONDS,
  },
} as const satisfies Readonly<Record<string, PurgeStep>>;

export type PurgeStepName = keyof typeof PURGE_STEPS;

const EXPIRE_STATES = ['FindExpired', 'ExpirePart', 'SumExpired'] as const;

export const statesOf = (step: string): readonly string[] => (step === 'Expire' ? EXPIRE_STATES : [step]);

/** `CACHE_WAIT_SECONDS` covers settings in memory, the longest request and this difference between clocks. */
export const CLOCK_TOLERANCE_SECONDS = 5;
const LONGEST_REQUEST_SECONDS = Math.max(...ROUTES.map(({ timeoutSeconds }) => timeoutSeconds));
export const CACHE_WAIT_SECONDS =
  SETTINGS_LIFETIME_MS / SECOND + LONGEST_REQUEST_SECONDS + CLOCK_TOLERANCE_SECONDS;

/** Far longer than the lag of a global secondary index, except during DynamoDB incidents. */
const INDEX_WAIT_SECONDS = 30;

/** If rows remain after this many rounds, a person should investigate. */
const MOST_ROUNDS = 20;

/**
 * A sweep of one shard uses at most about 1,000 rows a second of the table's capacity (docs/operations.md, "Purges").
 */
const SHARDS_AT_ONCE = 4;

const THROTTLED = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
  'TimeoutError',
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
];

const outcome = (failed: boolean) => ({ Type: 'Pass' as const, Result: { failed }, End: true as const });

const RETRY = [
  {
    ErrorEquals: THROTTLED,
    IntervalSeconds: 2,
    BackoffRate: 2,
    MaxDelaySeconds: 120,
    MaxAttempts: 15,
    JitterStrategy: 'FULL' as const,
  },
  {
    ErrorEquals: ['States.TaskFailed', 'States.Timeout'],
    IntervalSeconds: 10,
    BackoffRate: 2,
    MaxAttempts: 4,
  },
];

const PARTS_AT_ONCE = 2;

const CATCH = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'RecordFailure' }];

function describeTask(step: PurgeStepName, arnOf: (step: PurgeStepName) => string) {
  return {
    Type: 'Task' as const,
    Resource: arnOf(step),
    TimeoutSeconds: PURGE_STEPS[step].timeoutSeconds + 30,
    Retry: RETRY,
  };
}

/**
 * The definition has no time-out: each step has one, rounds are counted, and a full history fails the execution (Step
 * Functions, "Avoid reaching the history quota"). One failure metric covers everything. Input: `projectId`, with
 * `surveyId` or `respondentHash`; or `{ sweep: { at, projects? } }`.
 */
export function purgeDefinition(arnOf: (step: PurgeStepName) => string) {
  const arns = new Map<PurgeStepName, string>();
  const arnOnce = (step: PurgeStepName): string => {
    const arn = arns.get(step) ?? arnOf(step);
    arns.set(step, arn);
    return arn;
  };
  const task = (step: PurgeStepName) => describeTask(step, arnOnce);
  const caughtSweep = [{ ErrorEquals: ['States.ALL'], Next: 'SweepFailed' }];
  return {
    Comment: 'Purges a survey or a project and verifies that nothing is left, or erases the rest of a person',
    StartAt: 'IsSweep',
    States: {
      IsSweep: {
        Type: 'Choice' as const,
        Choices: [{ Variable: '$.sweep', IsPresent: true, Next: 'FindExpired' }],
        Default: 'Begin',
      },
      FindExpired: { ...task('Expire'), Catch: caughtSweep, Next: 'ExpireParts' },
      ExpireParts: {
        Type: 'Map' as const,
        ItemsPath: '$.parts',
        MaxConcurrency: PARTS_AT_ONCE,
        ItemProcessor: {
          ProcessorConfig: { Mode: 'INLINE' },
          StartAt: 'ExpirePart',
          States: {
            // A failed part does not stop the others.
            ExpirePart: {
              ...task('Expire'),
              Catch: [{ ErrorEquals: ['States.ALL'], Next: 'PartFailed' }],
              Next: 'IsPartExpired',
            },
            IsPartExpired: {
              Type: 'Choice' as const,
              Choices: [{ Variable: '$.more', BooleanEquals: true, Next: 'ExpirePart' }],
              Default: 'PartExpired',
            },
            PartExpired: outcome(false),
            PartFailed: outcome(true),
          },
        },
        ResultPath: '$.sweep.outcomes',
        Catch: caughtSweep,
        Next: 'SumExpired',
      },
      SumExpired: { ...task('Expire'), Catch: caughtSweep, Next: 'Expired' },
      Expired: { Type: 'Succeed' as const },
      SweepFailed: {
        Type: 'Fail' as const,
        Error: 'SweepFailed',
        Cause: 'Answers past their end are left in the table. See docs/operations.md, "Expired answers"',
      },
      Begin: { ...task('Begin'), Catch: CATCH, Next: 'WaitForCaches' },
      WaitForCaches: { Type: 'Wait' as const, Seconds: CACHE_WAIT_SECONDS, Next: 'SweepShards' },
      SweepShards: {
        Type: 'Map' as const,
        ItemsPath: '$.shards',
        MaxConcurrency: SHARDS_AT_ONCE,
        ItemProcessor: {
          ProcessorConfig: { Mode: 'INLINE' },
          StartAt: 'SweepShard',
          States: {
            SweepShard: { ...task('SweepShard'), Next: 'IsShardSwept' },
            IsShardSwept: {
              Type: 'Choice' as const,
              Choices: [{ Variable: '$.more', BooleanEquals: true, Next: 'SweepShard' }],
              Default: 'ShardSwept',
            },
            ShardSwept: { Type: 'Succeed' as const },
          },
        },
        ResultPath: null,
        Catch: CATCH,
        Next: 'WaitForIndexes',
      },
      WaitForIndexes: { Type: 'Wait' as const, Seconds: INDEX_WAIT_SECONDS, Next: 'Verify' },
      Verify: { ...task('Verify'), ResultPath: '$.verified', Catch: CATCH, Next: 'IsEmpty' },
      IsEmpty: {
        Type: 'Choice' as const,
        Choices: [
          { Variable: '$.verified.isEmpty', BooleanEquals: true, Next: 'Finish' },
          { Variable: '$.verified.rounds', NumericGreaterThanEquals: MOST_ROUNDS, Next: 'RecordFailure' },
        ],
        Default: 'SweepShards',
      },
      Finish: { ...task('Finish'), Catch: CATCH, Next: 'Purged' },
      Purged: { Type: 'Succeed' as const },
      RecordFailure: {
        ...task('RecordFailure'),
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'PurgeFailed' }],
        Next: 'PurgeFailed',
      },
      PurgeFailed: {
        Type: 'Fail' as const,
        Error: 'PurgeFailed',
        Cause: 'Something is left. See docs/operations.md, "Purges"; then: npm run admin -- purge retry',
      },
    },
  };
}
