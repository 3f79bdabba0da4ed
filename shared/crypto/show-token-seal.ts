/**
 * Sealing of show-tokens: AES-256-GCM under a key that is derived for each request that issues tokens, so that no nonce
 * limit is ever near. HKDF-SHA-256 makes a key of each stage and project from a key of the ring; HMAC of the request's
 * random salt under it makes the request's. The nonce is the last 12 bytes of the token id. Version, key id, salt, token id,
 * stage and project are authenticated. Nothing is stored when a token is issued.
 *
 *   version 2 | key id 4 | salt 12 | token id 16 | ciphertext | tag 16        as base64url
 *
 * Version 1 had no salt: its key and nonce were derived from the token id. Such tokens still open.
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
import { toKeyObject } from './key-object.ts';
import type { TokenKey } from './token-ring.ts';

const VERSION = 2;
const VERSION_WITHOUT_SALT = 1;
const KEY_ID_END = 5;
export const SALT_BYTES = 12;
const TOKEN_ID_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BINDING_BYTES = 16;
/** Most characters of a show-token (docs/contract.md §6). */
const MOST_CHARACTERS = 1_024;

/** Where a token is valid. */
export interface TokenScope {
  readonly stage: string;
  readonly projectId: string;
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
      new Uint8Array(hkdfSync('sha256', toKeyObject(key.secret), '', scope, SCOPE_KEY_BYTES)),
    );
    known.set(scope, made);
  }
  return made;
}

/** Hashes session ids as the tokens of one request attest them. */
function bind(scoped: KeyObject, salt: Uint8Array, ids: SessionIds): SessionBinding {
  const digest = (name: string, value: string | undefined) =>
    value === undefined
      ? undefined
      : createHmac('sha256', scoped)
          .update('bind\0')
          .update(salt)
          .update(`${name}\0${value}`)
          .digest('hex')
          .slice(0, BINDING_BYTES * 2);
  return {
    session: digest('session', ids.sessionId),
    observation: digest('observation', ids.observationId),
    trace: digest('trace', ids.traceId),
  };
}

function additionalData(header: Uint8Array, { stage, projectId }: TokenScope): Buffer {
  return Buffer.concat([header, Buffer.from(`${stage}\0${projectId}`)]);
}

function deriveKey(scoped: KeyObject, salt: Uint8Array): KeyObject {
  return createSecretKey(createHmac('sha256', scoped).update('seal 2\0').update(salt).digest());
}

/** Claims to be sealed; session ids are sealed as hashes. */
export type Grant = Omit<ShowTokenClaims, 'binding'>;

/**
 * Prepares sealing the tokens of one request: one key derivation, and the session values hashed once.
 * @param salt 12 random bytes, fresh for every call
 * @returns seals a token; the result is URL-safe and at most 1,024 characters
 */
export function createSealer(
  key: TokenKey,
  scope: TokenScope,
  salt: Uint8Array,
  session?: SessionIds,
): (grant: Grant) => string {
  const scoped = scopeKey(key, scope);
  const encryption = deriveKey(scoped, salt);
  const binding = session && bind(scoped, salt, session);
  const prefix = Buffer.concat([Buffer.of(VERSION), Buffer.from(key.id, 'hex'), salt]);
  return (grant) => {
    const tokenId = Buffer.from(grant.tokenId, 'hex');
    const header = Buffer.concat([prefix, tokenId]);
    const cipher = createCipheriv('aes-256-gcm', encryption, tokenId.subarray(-NONCE_BYTES)).setAAD(
      additionalData(header, scope),
    );
    const plain = encodeClaims(binding === undefined ? grant : { ...grant, binding });
    return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
      'base64url',
    );
  };
}

interface SealedShowToken {
  readonly keyId: string;
  readonly header: Buffer;
  /** Absent in version 1. */
  readonly salt: Buffer | undefined;
  readonly tokenId: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** Splits a token without trusting it; undefined when it is malformed, a non-canonical encoding included. */
export function parseShowToken(token: string): SealedShowToken | undefined {
  if (token.length > MOST_CHARACTERS) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.toString('base64url') !== token) return undefined;
  const [version] = bytes;
  if (version !== VERSION && version !== VERSION_WITHOUT_SALT) return undefined;
  const idStart = KEY_ID_END + (version === VERSION ? SALT_BYTES : 0);
  const headerEnd = idStart + TOKEN_ID_BYTES;
  if (bytes.length <= headerEnd + TAG_BYTES) return undefined;
  return {
    keyId: bytes.toString('hex', 1, KEY_ID_END),
    header: bytes.subarray(0, headerEnd),
    salt: version === VERSION ? bytes.subarray(KEY_ID_END, idStart) : undefined,
    tokenId: bytes.subarray(idStart, headerEnd),
    ciphertext: bytes.subarray(headerEnd, -TAG_BYTES),
    tag: bytes.subarray(-TAG_BYTES),
  };
}

export interface OpenedShowToken {
  readonly claims: ShowTokenClaims;
  /** Hashes session ids as this token would attest them. */
  readonly bind: (ids: SessionIds) => SessionBinding;
}

function openingKey(scoped: KeyObject, { salt, tokenId }: SealedShowToken) {
  if (salt !== undefined) {
    return { encryption: deriveKey(scoped, salt), nonce: tokenId.subarray(-NONCE_BYTES) };
  }
  const bytes = createHmac('sha512', scoped).update('seal\0').update(tokenId).digest();
  return { encryption: createSecretKey(bytes.subarray(0, 32)), nonce: bytes.subarray(32, 44) };
}

/** Opens a token; undefined when it is forged, or of another project, stage or key. */
export function openShowToken(
  sealed: SealedShowToken,
  scope: TokenScope,
  key: TokenKey,
): OpenedShowToken | undefined {
  const scoped = scopeKey(key, scope);
  const { encryption, nonce } = openingKey(scoped, sealed);
  const decipher = createDecipheriv('aes-256-gcm', encryption, nonce, { authTagLength: TAG_BYTES })
    .setAAD(additionalData(sealed.header, scope))
    .setAuthTag(sealed.tag);
  const plain = decipher.update(sealed.ciphertext);
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  const claims = { tokenId: sealed.tokenId.toString('hex'), ...decodeClaims(plain) };
  return { claims, bind: (ids) => bind(scoped, sealed.salt ?? sealed.tokenId, ids) };
}
