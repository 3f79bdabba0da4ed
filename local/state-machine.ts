/**
 * The purge's state machine in this process: the very definition that is deployed, its steps called as functions,
 * its waits shortened.
 */

import { begin } from '../functions/purge/begin.ts';
import { finish } from '../functions/purge/finish.ts';
import { recordFailure } from '../functions/purge/record-failure.ts';
import { sweepShard } from '../functions/purge/sweep-shard.ts';
import { verify } from '../functions/purge/verify.ts';
import type { Service } from '../functions/runtime/compose.ts';
import type { PurgeStep } from '../functions/runtime/purge-step.ts';
import { type PurgeStepName, purgeDefinition } from '../shared/contract/purge-definition.ts';
import type { PurgeStarter } from '../shared/data/aws/purge-starter.ts';
import { withoutDeadline } from '../shared/data/table/deadline.ts';
import { executionName } from '../shared/domain/purge.ts';

const STEPS: Readonly<Record<PurgeStepName, PurgeStep>> = {
  Begin: begin,
  SweepShard: sweepShard,
  Verify: verify,
  Finish: finish,
  RecordFailure: recordFailure,
};

/** An ARN as the definition wants one; the handlers take the calls by the names of their states. */
const localArn = (step: PurgeStepName): string => `arn:aws:lambda:us-east-1:000000000000:function:${step}`;

export interface LocalStateMachine extends PurgeStarter {
  /** Settles when no execution is under way; never rejects, failures go to `onFailure`. */
  idle(): Promise<void>;
  /** Ends the executions under way where they stand; a retry takes them up again. */
  stop(): Promise<void>;
}

export interface LocalStateMachineOptions {
  readonly service: Service;
  /** In place of the definition's waits, milliseconds. */
  readonly waits: { readonly WaitForCaches: number; readonly WaitForIndexes: number };
  /** In place of the pauses between attempts of a step, milliseconds. */
  readonly retryPauseMs?: number;
  readonly onFailure?: (execution: string, error: unknown) => void;
}

/** The definition, read and validated once in this process; loading the interpreter loads a good part of the AWS SDK. */
const definition = lazily(async () => {
  const { StateMachine } = await import('aws-local-stepfunctions');
  return new StateMachine(purgeDefinition(localArn));
});

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

interface Running {
  readonly ended: Promise<void>;
  readonly isOver: () => boolean;
  readonly abort: () => void;
}

export function createLocalStateMachine(options: LocalStateMachineOptions): LocalStateMachine {
  const { service, waits, retryPauseMs, onFailure } = options;
  const executions = new Map<string, Promise<Running>>();
  const states = Object.keys(STEPS);
  const overrides = {
    taskResourceLocalHandlers: Object.fromEntries(
      Object.entries(STEPS).map(([state, create]) => {
        const step = create(service);
        // What a step returns passes as JSON, as it does between functions.
        return [state, async (input: unknown) => JSON.parse(JSON.stringify(await step(input)))];
      }),
    ),
    waitTimeOverrides: waits,
    ...(retryPauseMs !== undefined && {
      retryIntervalOverrides: Object.fromEntries(states.map((state) => [state, retryPauseMs])),
    }),
  };

  async function run(scope: object, name: string): Promise<Running> {
    const machine = await definition();
    const execution = machine.run({ ...scope }, { overrides, noThrowOnAbort: true });
    let isOver = false;
    const ended = execution.result
      .then(
        () => undefined,
        (error: unknown) => onFailure?.(name, error),
      )
      .finally(() => {
        isOver = true;
      });
    return { ended, isOver: () => isOver, abort: execution.abort };
  }

  async function idle(): Promise<void> {
    await Promise.all([...executions.values()].map(async (running) => (await running).ended));
  }

  return {
    async start(scope, attempt) {
      const name = executionName(scope, attempt);
      if (!executions.has(name)) {
        executions.set(
          name,
          withoutDeadline(() => run(scope, name)),
        );
      }
      const running = await executions.get(name);
      return running?.isOver() === true ? undefined : name;
    },
    idle,
    async stop() {
      for (const running of executions.values()) (await running).abort();
      await idle();
    },
  };
}
