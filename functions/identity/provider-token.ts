/**
 * Tokens that a provider signed, under its keys. The algorithm is one of two, whatever the token's header asks for: it
 * decides nothing.
 */

import type { JWTHeaderParameters, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { once } from '../../shared/domain/memory.ts';
import { jwks, type Service } from '../runtime/compose.ts';
import type { Jwks } from './jwks-cache.ts';

const MOST_CHARACTERS = 8_192;
const ALGORITHMS = ['RS256', 'ES256'];

/** Evaluated when the first token comes: a project without identity never pays for it (decision 70). */
const library = once(() => import('./jose.ts'));

export interface Verified {
  readonly payload: JWTPayload;
  readonly header: JWTHeaderParameters;
}

/** Whether the text could be a token: one spelling of each, of a size that is worth reading. */
export function isTokenText(token: unknown): token is string {
  if (typeof token !== 'string' || token.length > MOST_CHARACTERS) return false;
  // The library takes a signature in other spellings of the same bytes as well: padded, with blanks, with spare bits.
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** What a token says that is signed and in time, or what was thrown at it. */
export async function verify(
  token: string,
  key: Uint8Array | JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<{ readonly verified?: Verified; readonly error?: unknown }> {
  const { jwtVerify } = await library();
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key, options);
    return { verified: { payload, header: protectedHeader } };
  } catch (error) {
    return { error };
  }
}

const keySets = new WeakMap<Jwks, JWTVerifyGetKey>();

async function keySet(jwks: Jwks): Promise<JWTVerifyGetKey> {
  const { createLocalJWKSet } = await library();
  const made: JWTVerifyGetKey = keySets.get(jwks) ?? createLocalJWKSet(jwks);
  keySets.set(jwks, made);
  return made;
}

export interface Issuing {
  /** Where the provider's public keys are. */
  readonly jwks: string;
  /** `iss` and `aud` of its tokens. */
  readonly issuer: string;
  readonly audience: string;
}

/**
 * What the token says; undefined when it is not acceptable, whatever is wrong with it.
 * @param now milliseconds since the epoch; clocks get no allowance
 * @throws when the provider's keys are neither in memory nor within reach
 */
export async function verifyProviderToken(
  token: string,
  { jwks: address, issuer, audience }: Issuing,
  { now, service }: { readonly now: number; readonly service: Service },
): Promise<Verified | undefined> {
  const { JWKSNoMatchingKey } = await library();
  const options = {
    currentDate: new Date(now),
    requiredClaims: ['exp'],
    algorithms: ALGORITHMS,
    issuer,
    audience,
  };
  const known = await jwks(service).load(address);
  const { verified, error } = await verify(token, await keySet(known), options);
  if (!(error instanceof JWKSNoMatchingKey)) return verified;
  // The provider may sign under a new key by now.
  const fresh = await jwks(service).reload(address);
  return fresh === known ? undefined : (await verify(token, await keySet(fresh), options)).verified;
}
