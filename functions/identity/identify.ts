/** See docs/identity.md. */

import * as z from 'zod/mini';
import { type Refusal, refuse } from '../../shared/contract/errors.ts';
import { identifier } from '../../shared/contract/fields.ts';
import { openIdentitySecret } from '../../shared/crypto/identity-secret.ts';
import { once } from '../../shared/domain/memory.ts';
import type { IdentitySecret, ProjectSettings } from '../../shared/domain/project.ts';
import { type Service, secrets } from '../runtime/compose.ts';
import type { EndpointRequest } from '../runtime/endpoint.ts';
import { isTokenText, type Verified, verify, verifyProviderToken } from './provider-token.ts';

interface Verification {
  readonly settings: ProjectSettings;
  readonly now: number;
  readonly service: Service;
}

/** A token with an infinite (overflowing) number would never expire. */
const claims = once(() => z.object({ sub: identifier(), exp: z.number(), nbf: z.optional(z.number()) }));

function subjectOf(verified: Verified | undefined): string | undefined {
  const parsed = z.safeParse(claims(), verified?.payload);
  return parsed.success ? parsed.data.sub : undefined;
}

const opened = new WeakMap<IdentitySecret, Uint8Array>();

function hmacKey(hashSecret: Uint8Array, projectId: string, secret: IdentitySecret): Uint8Array {
  const key = opened.get(secret) ?? openIdentitySecret(hashSecret, projectId, secret);
  opened.set(secret, key);
  return key;
}

async function verifyUserToken(
  token: unknown,
  { settings: { project, identitySecrets }, now, service }: Verification,
): Promise<string | undefined> {
  if (!isTokenText(token)) return undefined;
  if (project.identityProvider !== undefined) {
    return subjectOf(await verifyProviderToken(token, project.identityProvider, { now, service }));
  }
  const hashSecret = await secrets(service).hashSecret();
  const options = { currentDate: new Date(now), requiredClaims: ['exp'], algorithms: ['HS256'] };
  for (const secret of identitySecrets) {
    const { verified } = await verify(token, hmacKey(hashSecret, project.id, secret), options);
    const respondentId = subjectOf(verified);
    if (respondentId !== undefined) return respondentId;
  }
  return undefined;
}

interface Claimed {
  readonly userId?: string | undefined;
  readonly userToken?: unknown;
}

export interface Person {
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
