/** The configured algorithms apply, whatever algorithm the token's header names. */

import type { JWTHeaderParameters, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import { once } from '../../shared/domain/memory.ts';
import type { Service } from '../runtime/compose.ts';
import { type Jwks, jwks } from './jwks-cache.ts';

const MOST_CHARACTERS = 8_192;
const ALGORITHMS = ['RS256', 'ES256'];

/** Loaded when the first token arrives (decision 70). */
const library = once(() => import('./jose.ts'));

export interface Verified {
  readonly payload: JWTPayload;
  readonly header: JWTHeaderParameters;
}

export function isTokenText(token: unknown): token is string {
  if (typeof token !== 'string' || token.length > MOST_CHARACTERS) return false;
  // jose also accepts padding, whitespace and spare bits in signatures.
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

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
  readonly jwks: string;
  readonly issuer: string;
  readonly audience: string;
}

/** @throws if keys are neither cached nor reachable */
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
  // The provider may have rotated its keys.
  const fresh = await jwks(service).reload(address);
  return fresh === known ? undefined : (await verify(token, await keySet(fresh), options)).verified;
}
