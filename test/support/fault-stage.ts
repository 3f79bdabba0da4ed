/** What a scenario of the fault matrix is given, and what it gives. */

import { expect } from 'vitest';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import type { AllDependencies } from '../../local/endpoints.ts';
import type { StepFunctions } from './step-functions.ts';
import type { CallOptions, Reply, Tenant, TestService } from './test-service.ts';

export interface Stage {
  /** Calls through here go wrong. */
  readonly ailing: TestService;
  /** The same table, reached directly. */
  readonly healthy: TestService;
  /** A project of its own, with two surveys. */
  readonly tenant: Tenant;
  readonly stepFunctions: StepFunctions;
}

export interface Play {
  readonly request: CallOptions;
  /** What must hold once the faults are over, whatever the reply was; sees to it by asking again where it said 503. */
  readonly settle: (reply: Reply) => Promise<void>;
}

export interface FaultScenario {
  readonly name: string;
  readonly endpoint: Endpoint<AllDependencies>;
  readonly success: number;
  readonly prepare: (stage: Stage) => Promise<Play>;
}

export const again = async (
  { healthy }: Stage,
  { endpoint, success }: FaultScenario,
  request: CallOptions,
) => {
  const reply = await healthy.call(endpoint, request);
  expect(reply.status).toBe(success);
  return reply;
};
