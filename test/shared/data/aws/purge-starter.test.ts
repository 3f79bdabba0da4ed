import { expect, it, onTestFinished } from 'vitest';
import { createPurgeStarter, createStepFunctionsClient } from '../../../../shared/data/aws/purge-starter.ts';
import { executionName } from '../../../../shared/domain/purge.ts';
import { STATE_MACHINE_ARN, startStepFunctions } from '../../../support/stand-ins/step-functions.ts';

it('starts an attempt once: the same execution while it runs, none after it has ended', async () => {
  const stepFunctions = await startStepFunctions();
  onTestFinished(stepFunctions.stop);
  const starter = createPurgeStarter(
    STATE_MACHINE_ARN,
    createStepFunctionsClient({ endpoint: stepFunctions.endpoint }),
  );
  const scope = { projectId: 'f'.repeat(16) };
  const attempt = { attempt: 1, openedAt: '2026-11-20T09:30:00.000Z' };
  const name = executionName(scope, attempt);
  expect(await starter.start(scope, attempt)).toBe(name);
  expect(await starter.start(scope, attempt)).toBe(name);
  expect(stepFunctions.executions.size).toBe(1);
  stepFunctions.close(name);
  expect(await starter.start(scope, attempt)).toBeUndefined();
  expect(await starter.start(scope, { ...attempt, attempt: 2 })).toBe(
    executionName(scope, { ...attempt, attempt: 2 }),
  );
});
