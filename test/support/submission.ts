/** Submitting an answer to the tenant's first survey, and reading what came of it. */

import { submitResponse } from '../../functions/submit-response.ts';
import type { Reply, Tenant, TestService } from './test-service.ts';
import { surveyOf } from './tokens.ts';

export interface Caller {
  readonly service: TestService;
  readonly tenant: Tenant;
}

/** A submission in which everything is in order but what the test says. */
export function aSubmission(tenant: Tenant, showToken: string, fields: Record<string, unknown> = {}) {
  return { key: tenant.publishableKey, surveyId: surveyOf(tenant), showToken, rating: 8, ...fields };
}

export function submit(
  { service, tenant }: Caller,
  showToken: string,
  fields: Record<string, unknown> = {},
): Promise<Reply> {
  return service.call(submitResponse, { body: aSubmission(tenant, showToken, fields) });
}

/** `201 recorded`, or status and code of the refusal. */
export const codeOf = ({ status, body }: Reply): string => `${status} ${body.error?.code ?? 'recorded'}`;
