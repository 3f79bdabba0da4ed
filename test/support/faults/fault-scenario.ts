import { expect } from 'vitest';
import type { Endpoint } from '../../../functions/runtime/endpoint.ts';
import type { CallOptions, Reply, Tenant, TestService } from '../service/test-service.ts';
import type { StepFunctions } from '../stand-ins/step-functions.ts';

export interface FaultCase {
  /** A service whose calls go through the proxy. */
  readonly faulty: TestService;
  /** A service on the same table without the proxy. */
  readonly healthy: TestService;
  readonly tenant: Tenant;
  readonly stepFunctions: StepFunctions;
}

export interface PreparedRequest {
  readonly request: CallOptions;
  /** Runs after the faults, whatever the reply was. */
  readonly settle: (reply: Reply) => Promise<void>;
}

export interface FaultScenario {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly success: number;
  readonly prepare: (faultCase: FaultCase) => Promise<PreparedRequest>;
}

export async function askAgain(
  { healthy }: FaultCase,
  { endpoint, success }: FaultScenario,
  request: CallOptions,
): Promise<Reply> {
  const reply = await healthy.call(endpoint, request);
  expect(reply.status).toBe(success);
  return reply;
}
