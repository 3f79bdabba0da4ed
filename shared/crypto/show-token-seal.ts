/**
 * Sealing of show-tokens: AES-256-GCM under a key derived per token from a key of the ring, stage and project, so that no
 * nonce limit is ever near: HKDF-SHA-256 makes a key of each stage and project, HMAC of the token id under it the
 * token's (one keyed hash instead of HKDF's three calls: bootstrap seals a token for each survey). Version, key id, token id, stage and project are
 * authenticated. Nothing is stored when a token is issued.
 *
 *   version 1 | key id 4 | token id 16 | ciphertext | tag 16        as base64url
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { SessionIds } from '../domain/answer.ts';
import { BoundedMap } from '../domain/bounded-map.ts';
import type { SessionBinding, ShowTokenClaims } from '../domain/show-token.ts';
import { decodeClaims, encodeClaims } from './claims-encoding.ts';
import { secretKeyOf } from './secret-key.ts';
import type { TokenKey } from './token-ring.ts';

const VERSION = 1;
const HEADER_BYTES = 21;
const TAG_BYTES = 16;
const BINDING_BYTES = 16;
/** Most characters of a show-token (docs/contract.md §7.1). */
const MOST_CHARACTERS = 1_024;

/** Where a token is valid. */
export interface TokenScope {
  readonly stage: string;
  readonly projectId: string;
}

interface Derived {
  readonly encryption: KeyObject;
  readonly nonce: Uint8Array;
}

const SCOPE_KEY_BYTES = 32;
const MOST_SCOPE_KEYS = 1_000;
const scopeKeys = new WeakMap<TokenKey, BoundedMap<string, KeyObject>>();

/** The key of the ring for one stage and project; made once. */
function scopeKey(key: TokenKey, { stage, projectId }: TokenScope): KeyObject {
  const scope = `canvass show-token\0${stage}\0${projectId}`;
  const known = scopeKeys.get(key) ?? new BoundedMap<string, KeyObject>(MOST_SCOPE_KEYS);
  scopeKeys.set(key, known);
  let made = known.get(scope);
  if (made === undefined) {
    made = createSecretKey(
      new Uint8Array(hkdfSync('sha256', secretKeyOf(key.secret), '', scope, SCOPE_KEY_BYTES)),
    );
    known.set(scope, made);
  }
  return made;
}

function derive(key: TokenKey, tokenId: Uint8Array, scope: TokenScope): Derived {
  const bytes = createHmac('sha512', scopeKey(key, scope)).update('seal\0').update(tokenId).digest();
  return { encryption: createSecretKey(bytes.subarray(0, 32)), nonce: bytes.subarray(32, 44) };
}

function bind(key: TokenKey, tokenId: Uint8Array, scope: TokenScope, ids: SessionIds): SessionBinding {
  const digest = (name: string, value: string) =>
    createHmac('sha256', scopeKey(key, scope))
      .update('bind\0')
      .update(tokenId)
      .update(`${name}\0${value}`)
      .digest('hex')
      .slice(0, BINDING_BYTES * 2);
  return {
    ...(ids.sessionId !== undefined && { session: digest('session', ids.sessionId) }),
    ...(ids.observationId !== undefined && { observation: digest('observation', ids.observationId) }),
    ...(ids.traceId !== undefined && { trace: digest('trace', ids.traceId) }),
  };
}

function additionalData(header: Uint8Array, { stage, projectId }: TokenScope): Buffer {
  return Buffer.concat([header, Buffer.from(`${stage}\0${projectId}`)]);
}

/** What is to be sealed: claims with the session ids themselves instead of their hashes. */
export interface Grant extends Omit<ShowTokenClaims, 'binding'> {
  readonly session?: SessionIds | undefined;
}

/** Seals a token; the result is URL-safe and at most 1,024 characters. */
export function sealShowToken(grant: Grant, scope: TokenScope, key: TokenKey): string {
  const { session, ...claims } = grant;
  const tokenId = Buffer.from(grant.tokenId, 'hex');
  const header = Buffer.concat([Buffer.of(VERSION), Buffer.from(key.id, 'hex'), tokenId]);
  const derived = derive(key, tokenId, scope);
  const plain = encodeClaims(
    session === undefined ? claims : { ...claims, binding: bind(key, tokenId, scope, session) },
  );
  const cipher = createCipheriv('aes-256-gcm', derived.encryption, derived.nonce).setAAD(
    additionalData(header, scope),
  );
  return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

interface SealedShowToken {
  readonly keyId: string;
  readonly header: Buffer;
  readonly tokenId: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** Splits a token without trusting it; undefined when it is malformed, a non-canonical encoding included. */
export function parseShowToken(token: string): SealedShowToken | undefined {
  if (token.length > MOST_CHARACTERS) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.toString('base64url') !== token) return undefined;
  if (bytes.length <= HEADER_BYTES + TAG_BYTES || bytes[0] !== VERSION) return undefined;
  return {
    keyId: bytes.toString('hex', 1, 5),
    header: bytes.subarray(0, HEADER_BYTES),
    tokenId: bytes.subarray(5, HEADER_BYTES),
    ciphertext: bytes.subarray(HEADER_BYTES, -TAG_BYTES),
    tag: bytes.subarray(-TAG_BYTES),
  };
}

export interface OpenedShowToken {
  readonly claims: ShowTokenClaims;
  /** Hashes session ids as this token would attest them. */
  readonly bind: (ids: SessionIds) => SessionBinding;
}

/** Opens a token; undefined when it is forged, or of another project, stage or key. */
export function openShowToken(
  sealed: SealedShowToken,
  scope: TokenScope,
  key: TokenKey,
): OpenedShowToken | undefined {
  const derived = derive(key, sealed.tokenId, scope);
  const decipher = createDecipheriv('aes-256-gcm', derived.encryption, derived.nonce, {
    authTagLength: TAG_BYTES,
  })
    .setAAD(additionalData(sealed.header, scope))
    .setAuthTag(sealed.tag);
  const plain = decipher.update(sealed.ciphertext);
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  const claims = { tokenId: sealed.tokenId.toString('hex'), ...decodeClaims(plain) };
  return { claims, bind: (ids) => bind(key, sealed.tokenId, scope, ids) };
}
