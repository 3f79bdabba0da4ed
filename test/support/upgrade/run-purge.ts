/**
 * A purge in Step Functions keeps the definition of its start, but each call runs the function that is deployed at that
 * time.
 */

import { StateMachine } from 'aws-local-stepfunctions';
import type { PurgeScope, sweepInput } from '../../../shared/domain/purge.ts';
import { statesOf } from '../../../shared/purge/state-machine.ts';
import type { RunningVersion } from './versions.ts';

/**
 * @param next the version whose function handles the next call
 * @returns the steps in call order
 * @throws if the execution fails
 */
export async function runPurge(
  { version }: RunningVersion,
  scope: PurgeScope | ReturnType<typeof sweepInput>,
  next: () => RunningVersion,
): Promise<readonly string[]> {
  const machine = new StateMachine(
    version.purgeDefinition((step) => `arn:aws:lambda:us-east-1:000000000000:function:${step}`),
  );
  const called: string[] = [];
  const handlerOf = (step: keyof typeof version.PURGE_STEP) => async (input: unknown) => {
    called.push(step);
    const { version, service } = next();
    return JSON.parse(JSON.stringify(await version.PURGE_STEP[step](service)(input)));
  };
  const { PURGE_STEP } = version;
  const steps = Object.keys(PURGE_STEP) as (keyof typeof PURGE_STEP)[];
  const overrides = {
    taskResourceLocalHandlers: Object.fromEntries(
      steps.flatMap((step) => statesOf(step).map((state) => [state, handlerOf(step)])),
    ),
    waitTimeOverrides: { WaitForCaches: 0, WaitForIndexes: 0 },
    retryIntervalOverrides: Object.fromEntries(steps.flatMap(statesOf).map((state) => [state, 0])),
  };
  // Inputs are passed as JSON, so undefined fields become absent.
  await machine.run(JSON.parse(JSON.stringify(scope)), { overrides }).result;
  return called;
}
