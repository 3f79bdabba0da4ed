/** See docs/identity.md. */

import { type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { EndpointRequest } from '../runtime/endpoint.ts';
import { verifyUserToken } from './verify-user-token.ts';

interface Claimed {
  readonly userId?: string | undefined;
  readonly userToken?: unknown;
}

export interface Person {
  /** Undefined if nobody is identified as the project requires. */
  readonly respondentId: string | undefined;
  readonly verified: true | undefined;
}

export async function identify({
  input: { userId, userToken },
  settings,
  now,
  service,
}: Pick<EndpointRequest<Claimed, unknown>, 'input' | 'settings' | 'now' | 'service'>): Promise<
  Person | Refusal
> {
  if (settings.project.identity !== 'required') return { respondentId: userId, verified: undefined };
  if (userToken === undefined) return { respondentId: undefined, verified: undefined };
  const respondentId = await verifyUserToken(userToken, { settings, now, service });
  if (respondentId === undefined || (userId ?? respondentId) !== respondentId) {
    return refuse('invalid_identity');
  }
  return { respondentId, verified: true };
}
