import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import {
  executionName,
  type PurgeAttempt,
  type PurgeScope,
  sweepExecutionName,
  sweepInput,
} from '../../domain/purge.ts';
import { attemptLimits, type ClientSettings, localService, retryStrategy } from '../table/client.ts';
import { obeyDeadline } from '../table/deadline.ts';

const REQUEST_TIMEOUT_MS = 2_000;
const MAX_ATTEMPTS = 3;

export interface PurgeStarter {
  /** @returns undefined if the execution has ended and the caller must make a new attempt */
  start(scope: PurgeScope, attempt: PurgeAttempt): Promise<string | undefined>;
}

export interface SweepStarter {
  sweep(now: number, projects?: readonly string[]): Promise<string>;
}

type StarterSettings = Pick<ClientSettings, 'endpoint' | 'requestTimeoutMs'>;

export function createStepFunctionsClient({
  endpoint,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: StarterSettings = {}): SFNClient {
  const client = new SFNClient({
    maxAttempts: MAX_ATTEMPTS,
    retryStrategy: retryStrategy(MAX_ATTEMPTS),
    requestHandler: attemptLimits(requestTimeoutMs),
    ...localService(endpoint),
  });
  obeyDeadline(client);
  return client;
}

export function createPurgeStarter(
  stateMachineArn: string,
  client: SFNClient = createStepFunctionsClient(),
): PurgeStarter & SweepStarter {
  return {
    async sweep(now, projects) {
      const name = sweepExecutionName(now);
      const input = JSON.stringify(sweepInput(now, projects));
      await client.send(new StartExecutionCommand({ stateMachineArn, name, input }));
      return name;
    },

    async start(scope, attempt) {
      const name = executionName(scope, attempt);
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(scope) }));
      } catch (error) {
        // Starting a running execution with the same input succeeds (AWS: StartExecution).
        if (error instanceof ExecutionAlreadyExists) return undefined;
        throw error;
      }
      return name;
    },
  };
}
