/**
 * Sealing of show-tokens: AES-256-GCM under a key that is derived for each request that issues tokens, so that no nonce
 * limit is ever near. HKDF-SHA-256 makes a key of each stage and project from a key of the ring; HMAC of the request's
 * random salt under it makes the request's. The nonce is the last 12 bytes of the token id. Version, key id, salt, token id,
 * stage and project are authenticated. Nothing is stored when a token is issued. Tokens for one observation have one id,
 * so it is the salt that keeps one key and nonce from sealing twice.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { SessionIds } from '../domain/answers/answer.ts';
import type { SessionBinding, ShowTokenClaims } from '../domain/answers/show-token.ts';
import { BoundedMap } from '../domain/bounded-map.ts';
import { decodeClaims, encodeClaims } from './claims-encoding.ts';
import { toKeyObject } from './key-object.ts';
import {
  composeHead,
  composeHeader,
  composeShowToken,
  type SealedShowToken,
  TAG_BYTES,
} from './show-token-form.ts';
import type { TokenKey } from './token-ring.ts';

const NONCE_BYTES = 12;
const BINDING_BYTES = 16;

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

/** Authenticated with every token, behind its header. */
const scopeBytes = ({ stage, projectId }: TokenScope): Buffer => Buffer.from(`${stage}\0${projectId}`);

function deriveKey(scoped: KeyObject, salt: Uint8Array): KeyObject {
  return createSecretKey(createHmac('sha256', scoped).update('seal 2\0').update(salt).digest());
}

/** Claims to be sealed, but for the session. */
export type Grant = Omit<ShowTokenClaims, 'binding' | 'session'>;

interface Sealing {
  readonly session?: SessionIds | undefined;
  /** Whether the token names its project and holds the session values themselves, as that of a link does. */
  readonly isLink?: boolean;
}

/**
 * Prepares sealing the tokens of one request: one key derivation, and the session values hashed once.
 * @param salt 12 random bytes, fresh for every call
 * @returns seals a token; the result is URL-safe, or undefined when it would have more than 1,024 characters
 */
export function createSealer(
  key: TokenKey,
  scope: TokenScope,
  salt: Uint8Array,
  { session, isLink = false }: Sealing = {},
): (grant: Grant) => string | undefined {
  const scoped = scopeKey(key, scope);
  const encryption = deriveKey(scoped, salt);
  const sealed = isLink
    ? { session, binding: undefined }
    : { session: undefined, binding: session && bind(scoped, salt, session) };
  const head = composeHead(key, salt, isLink);
  const scopeBehind = scopeBytes(scope);
  return (grant) => {
    const tokenId = Buffer.from(grant.tokenId, 'hex');
    const header = composeHeader(head, tokenId, isLink ? scope.projectId : undefined);
    const cipher = createCipheriv('aes-256-gcm', encryption, tokenId.subarray(-NONCE_BYTES));
    cipher.setAAD(Buffer.concat([header, scopeBehind]));
    const plain = encodeClaims({ ...grant, ...sealed });
    const bytes = Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return composeShowToken(bytes, grant.modelRequested === true);
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

/** Opens a token; undefined when it is forged, its head included, or of another project, stage or key. */
export function openShowToken(
  sealed: SealedShowToken,
  scope: TokenScope,
  key: TokenKey,
): OpenedShowToken | undefined {
  const scoped = scopeKey(key, scope);
  const { encryption, nonce } = openingKey(scoped, sealed);
  const decipher = createDecipheriv('aes-256-gcm', encryption, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.concat([sealed.header, scopeBytes(scope)]))
    .setAuthTag(sealed.tag);
  const plain = decipher.update(sealed.ciphertext);
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  const claims = { tokenId: sealed.tokenId.toString('hex'), ...decodeClaims(plain) };
  if (sealed.saysModelRequested !== (claims.modelRequested === true)) return undefined;
  const bindHere = (ids: SessionIds) => bind(scoped, sealed.salt ?? sealed.tokenId, ids);
  const { session } = claims;
  return {
    claims: session === undefined ? claims : { ...claims, binding: bindHere(session) },
    bind: bindHere,
  };
}
