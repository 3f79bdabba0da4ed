/** What a scenario of the fault matrix is given, and what it gives. */

import { expect } from 'vitest';
import type { Endpoint } from '../../../functions/runtime/endpoint.ts';
import type { CallOptions, Reply, Tenant, TestService } from '../service/test-service.ts';
import type { StepFunctions } from '../stand-ins/step-functions.ts';

export interface FaultCase {
  /** Its calls go through the proxy, which fails some of them. */
  readonly faulty: TestService;
  /** The same table, reached directly. */
  readonly healthy: TestService;
  /** A project of its own, with two surveys. */
  readonly tenant: Tenant;
  readonly stepFunctions: StepFunctions;
}

export interface PreparedRequest {
  readonly request: CallOptions;
  /** What must hold once the faults are over, whatever the reply was; it asks again where the reply was a 503. */
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
