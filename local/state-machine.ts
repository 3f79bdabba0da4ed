/**
 * The purge's state machine in this process: the very definition that is deployed, its steps called as functions,
 * its waits shortened.
 */

import type { StateMachine } from 'aws-local-stepfunctions';
import { PURGE_STEP } from '../functions/purge.ts';
import type { Service } from '../functions/runtime/compose.ts';
import type { PurgeStarter, SweepStarter } from '../shared/data/aws/purge-starter.ts';
import { withoutDeadline } from '../shared/data/table/deadline.ts';
import { executionName, sweepExecutionName, sweepInput } from '../shared/domain/purge.ts';
import { type PurgeStepName, purgeDefinition, statesOf } from '../shared/purge/state-machine.ts';

/** An ARN as the definition wants one; the handlers take the calls by the names of their states. */
const localArn = (step: PurgeStepName): string => `arn:aws:lambda:us-east-1:000000000000:function:${step}`;

export interface LocalStateMachine extends PurgeStarter, SweepStarter {
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

let loading: Promise<StateMachine> | undefined;

/** The definition, read and validated once in this process; loading the interpreter loads a good part of the AWS SDK. */
function loadDefinition(): Promise<StateMachine> {
  loading ??= import('aws-local-stepfunctions').then(
    (interpreter) => new interpreter.StateMachine(purgeDefinition(localArn)),
  );
  return loading;
}

interface Execution {
  readonly isOver: boolean;
  readonly abort: () => void;
  readonly ended: Promise<void>;
}

export function createLocalStateMachine(options: LocalStateMachineOptions): LocalStateMachine {
  const { service, waits, retryPauseMs, onFailure } = options;
  const executions = new Map<string, Execution>();
  const steps = Object.entries(PURGE_STEP);
  const states = steps.flatMap(([step]) => statesOf(step));
  const overrides = {
    taskResourceLocalHandlers: Object.fromEntries(
      steps.flatMap(([name, create]) => {
        const step = create(service);
        // What a step returns passes as JSON, as it does between functions.
        const handler = async (input: unknown) => JSON.parse(JSON.stringify(await step(input)));
        return statesOf(name).map((state) => [state, handler]);
      }),
    ),
    waitTimeOverrides: waits,
    ...(retryPauseMs !== undefined && {
      retryIntervalOverrides: Object.fromEntries(states.map((state) => [state, retryPauseMs])),
    }),
  };

  function run(machine: StateMachine, scope: object, name: string): Execution {
    // An input passes as JSON, too: what is undefined is absent then.
    const input = JSON.parse(JSON.stringify(scope));
    const { result, abort } = machine.run(input, { overrides, noThrowOnAbort: true });
    const execution = { isOver: false, abort, ended: Promise.resolve() };
    execution.ended = result
      .then(
        () => undefined,
        (error: unknown) => onFailure?.(name, error),
      )
      .finally(() => {
        execution.isOver = true;
      });
    return execution;
  }

  async function idle(): Promise<void> {
    await Promise.all([...executions.values()].map(({ ended }) => ended));
  }

  return {
    async start(scope, attempt) {
      const name = executionName(scope, attempt);
      const machine = await loadDefinition();
      const known = executions.get(name);
      if (known !== undefined) return known.isOver ? undefined : name;
      await withoutDeadline(async () => executions.set(name, run(machine, scope, name)));
      return name;
    },
    async sweep(now, projects) {
      const name = sweepExecutionName(now);
      const machine = await loadDefinition();
      const input = sweepInput(now, projects);
      if (executions.get(name)?.isOver !== false) {
        await withoutDeadline(async () => executions.set(name, run(machine, input, name)));
      }
      return name;
    },
    idle,
    async stop() {
      for (const { abort } of executions.values()) abort();
      await idle();
    },
  };
}
