/** Runs the deployed purge definition with shorter waits, and the daily sweep. */

import type { StateMachine } from 'aws-local-stepfunctions';
import { PURGE_STEP } from '../functions/purge.ts';
import type { Service } from '../functions/runtime/compose.ts';
import type { PurgeStarter, SweepStarter } from '../shared/data/aws/purge-starter.ts';
import { withoutDeadline } from '../shared/data/table/deadline.ts';
import { dayAt } from '../shared/domain/days.ts';
import { MINUTE } from '../shared/domain/duration.ts';
import { executionName, sweepExecutionName, sweepInput } from '../shared/domain/purge.ts';
import { type PurgeStepName, purgeDefinition, statesOf } from '../shared/purge/state-machine.ts';

/** The state machine finds its handlers by name. */
const localArn = (step: PurgeStepName): string => `arn:aws:lambda:us-east-1:000000000000:function:${step}`;

export interface LocalStateMachine extends PurgeStarter, SweepStarter {
  idle(): Promise<void>;
  /** The next start resumes aborted executions. */
  stop(): Promise<void>;
}

interface LocalStateMachineOptions {
  readonly service: Service;
  /** Milliseconds, instead of the definition's waits. */
  readonly waits: { readonly WaitForCaches: number; readonly WaitForIndexes: number };
  readonly retryPauseMs?: number;
  readonly onFailure?: (execution: string, error: unknown) => void;
}

let loading: Promise<StateMachine> | undefined;

/** Loaded on demand, because the interpreter loads much of the AWS SDK. */
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
        // Inputs and outputs pass as JSON, as between deployed functions.
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

/** As deployed: a sweep leaves what ended within the last hour, so that one at midnight would leave that night's answers. */
const SWEEP_TIME = 90 * MINUTE;

/**
 * Sweeps daily at 01:30 UTC. The first sweep is a minute after the start.
 * @returns a function that stops it
 */
export function startDailySweep({
  machine,
  clock,
  onFailure,
}: {
  readonly machine: SweepStarter;
  readonly clock: () => number;
  readonly onFailure: (error: unknown) => void;
}): () => void {
  let swept = '';
  function look(): void {
    const night = dayAt(clock() - SWEEP_TIME);
    if (night === swept) return;
    swept = night;
    machine.sweep(clock()).catch(onFailure);
  }
  const timer = setInterval(look, MINUTE);
  timer.unref();
  return () => clearInterval(timer);
}
