/** Show-tokens as clients get them: from bootstrap, or minted for a session. */

import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import type { Tenant, TestService } from './test-service.ts';

/** A fresh respondent's name. */
let people = 0;
export const someone = (): string => `person-${people++}`;

export const surveyOf = (tenant: Tenant): string => tenant.surveys[0]?.id ?? '';

/** An unbound token for the tenant's first survey. */
export async function showTokenOf(
  service: TestService,
  tenant: Tenant,
  { userId = someone(), headers = {} }: { userId?: string; headers?: Record<string, string> } = {},
): Promise<string> {
  const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId }, headers });
  return body.showTokens[surveyOf(tenant)];
}

export interface Minting {
  readonly respondentId?: string;
  readonly sessionId?: string;
  readonly observationId?: string;
  readonly traceId?: string;
  readonly taskType?: string;
}

/** A session-bound token for the tenant's first survey. */
export async function boundTokenOf(
  service: TestService,
  tenant: Tenant,
  { respondentId = someone(), sessionId = 'session-1', ...rest }: Minting = {},
): Promise<string> {
  const body = { respondentId, sessionId, ...rest };
  const reply = await service.call(mintTokens, { body, secretKey: tenant.secretKey });
  return reply.body.tokens[surveyOf(tenant)];
}
