/**
 * Verifies a user's token (docs/identity.md). Algorithms are the configuration's: HS256 under the project's secrets, or
 * RS256 and ES256 under its provider's keys; what the token's header asks for decides nothing.
 */

import type { JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import * as z from 'zod/mini';
import { identifier } from '../../shared/contract/fields.ts';
import { openIdentitySecret } from '../../shared/crypto/identity-secret.ts';
import { once } from '../../shared/domain/memory.ts';
import type { IdentityProvider, IdentitySecret, ProjectSettings } from '../../shared/domain/project.ts';
import { jwks, type Service, secrets } from '../runtime/compose.ts';
import type { Jwks } from './jwks-cache.ts';

const MOST_CHARACTERS = 8_192;

interface Verification {
  readonly settings: ProjectSettings;
  /** Milliseconds since the epoch; clocks get no allowance. */
  readonly now: number;
  readonly service: Service;
}

/** Evaluated when the first token comes: a project without identity never pays for it (decision 70). */
const library = once(() => import('./jose.ts'));

/** Numbers of JSON that are too large for one would be infinite: a token without an end, or before none. */
const claims = once(() => z.object({ sub: identifier(), exp: z.number(), nbf: z.optional(z.number()) }));

/** The subject of a token that is signed and in time, or what was thrown at it. */
async function verify(
  token: string,
  key: Uint8Array | JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<{ readonly respondentId?: string; readonly error?: unknown }> {
  const { jwtVerify } = await library();
  try {
    const { payload } = await jwtVerify(token, key, options);
    const parsed = z.safeParse(claims(), payload);
    return parsed.success ? { respondentId: parsed.data.sub } : {};
  } catch (error) {
    return { error };
  }
}

const opened = new WeakMap<IdentitySecret, Uint8Array>();

/** The HMAC key of an identity secret, opened once for as long as the settings that hold it are in memory. */
function hmacKey(hashSecret: Uint8Array, projectId: string, secret: IdentitySecret): Uint8Array {
  const key = opened.get(secret) ?? openIdentitySecret(hashSecret, projectId, secret);
  opened.set(secret, key);
  return key;
}

const keySets = new WeakMap<Jwks, JWTVerifyGetKey>();

async function keySet(jwks: Jwks): Promise<JWTVerifyGetKey> {
  const { createLocalJWKSet } = await library();
  const made: JWTVerifyGetKey = keySets.get(jwks) ?? createLocalJWKSet(jwks);
  keySets.set(jwks, made);
  return made;
}

async function verifyWithProvider(
  token: string,
  { jwks: address, issuer, audience }: IdentityProvider,
  service: Service,
  common: JWTVerifyOptions,
): Promise<string | undefined> {
  const { JWKSNoMatchingKey } = await library();
  const options = { ...common, algorithms: ['RS256', 'ES256'], issuer, audience };
  const known = await jwks(service).load(address);
  const { respondentId, error } = await verify(token, await keySet(known), options);
  if (!(error instanceof JWKSNoMatchingKey)) return respondentId;
  // The provider may sign under a new key by now.
  const fresh = await jwks(service).reload(address);
  return fresh === known ? undefined : (await verify(token, await keySet(fresh), options)).respondentId;
}

/**
 * Whom the token names; undefined when it is not acceptable, whatever is wrong with it.
 * @throws when the provider's keys are neither in memory nor within reach
 */
export async function verifyUserToken(
  token: unknown,
  { settings: { project, identitySecrets }, now, service }: Verification,
): Promise<string | undefined> {
  if (typeof token !== 'string' || token.length > MOST_CHARACTERS) return undefined;
  // The library takes a signature in other spellings of the same bytes as well: padded, with blanks, with spare bits.
  const signature = token.slice(token.lastIndexOf('.') + 1);
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return undefined;
  const common = { currentDate: new Date(now), requiredClaims: ['exp'] };
  if (project.identityProvider !== undefined) {
    return verifyWithProvider(token, project.identityProvider, service, common);
  }
  const hashSecret = await secrets(service).hashSecret();
  const options = { ...common, algorithms: ['HS256'] };
  for (const secret of identitySecrets) {
    const { respondentId } = await verify(token, hmacKey(hashSecret, project.id, secret), options);
    if (respondentId !== undefined) return respondentId;
  }
  return undefined;
}
