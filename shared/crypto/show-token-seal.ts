/**
 * HKDF-SHA-256 derives a key per stage and project from the ring, and HMAC of a random salt derives the request's key,
 * so no nonce limit of AES-256-GCM is ever near. The nonce is the last 12 bytes of the token id. Tokens for one
 * observation share an id; the salt prevents reuse of key and nonce. Version, key id, salt, token id, stage and project
 * are authenticated.
 *
 *   version 2 | key id 4 | salt 12 | token id 16 | ciphertext | tag 16 as base64url
 *   version 3 | key id 4 | salt 12 | token id 16 | length 1 | project | ciphertext | tag 16 of a link
 *
 * Versions 4 and 5 are 2 and 3 with sealed labels. Version 1 had no salt and still opens. A token that a model may
 * answer starts with an unsealed head and a dot; the sealed claims repeat it.
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
import { BoundedMap } from '../domain/memory.ts';
import { decodeClaims, encodeClaims } from './claims-encoding.ts';
import { toKeyObject } from './derive.ts';
import type { TokenKey } from './token-ring.ts';

const VERSION = 2;
const VERSION_OF_LINKS = 3;
/** Added to the version of a token with labels. */
const WITH_LABELS = 2;
const VERSION_WITHOUT_SALT = 1;
const KEY_ID_END = 5;
export const SALT_BYTES = 12;
const TOKEN_ID_BYTES = 16;
const TAG_BYTES = 16;
/** Includes the head (docs/contract.md §7.1). */
const MOST_CHARACTERS = 1_024;

/** `{"amr":true}` (docs/contract.md §7.5). */
const MODEL_REQUESTED_HEAD = `${Buffer.from('{"amr":true}').toString('base64url')}.`;

const hasLabels = ({ labels = {} }: Pick<ShowTokenClaims, 'labels'>): boolean =>
  Object.keys(labels).length > 0;

function composeHead(key: TokenKey, salt: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(key.id, 'hex'), salt]);
}

/** @param projectId set for links, which are opened without a project key */
function composeHeader(
  head: Buffer,
  tokenId: Buffer,
  projectId: string | undefined,
  isLabelled: boolean,
): Buffer {
  const more = isLabelled ? WITH_LABELS : 0;
  if (projectId === undefined) return Buffer.concat([Buffer.of(VERSION + more), head, tokenId]);
  const project = Buffer.from(projectId);
  const version = Buffer.of(VERSION_OF_LINKS + more);
  return Buffer.concat([version, head, tokenId, Buffer.of(project.length), project]);
}

function composeShowToken(bytes: Buffer, mayBeModelRequested: boolean): string | undefined {
  const text = `${mayBeModelRequested ? MODEL_REQUESTED_HEAD : ''}${bytes.toString('base64url')}`;
  return text.length > MOST_CHARACTERS ? undefined : text;
}

export interface SealedShowToken {
  readonly keyId: string;
  readonly header: Buffer;
  readonly salt: Buffer | undefined;
  readonly tokenId: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
  /** Not authenticated. Undefined unless the token belongs to a link. */
  readonly projectId: string | undefined;
  /** Not authenticated. */
  readonly saysModelRequested: boolean;
}

/** Returns undefined for a malformed token or one that is not encoded canonically. */
export function parseShowToken(token: string): SealedShowToken | undefined {
  if (token.length > MOST_CHARACTERS) return undefined;
  const saysModelRequested = token.startsWith(MODEL_REQUESTED_HEAD);
  const text = saysModelRequested ? token.slice(MODEL_REQUESTED_HEAD.length) : token;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return undefined;
  const [version = 0] = bytes;
  const isLink = version === VERSION_OF_LINKS || version === VERSION_OF_LINKS + WITH_LABELS;
  const isOther = version === VERSION || version === VERSION + WITH_LABELS;
  if (!isLink && !isOther && version !== VERSION_WITHOUT_SALT) return undefined;
  const idStart = KEY_ID_END + (version === VERSION_WITHOUT_SALT ? 0 : SALT_BYTES);
  const idEnd = idStart + TOKEN_ID_BYTES;
  const headerEnd = isLink ? idEnd + 1 + (bytes[idEnd] ?? 0) : idEnd;
  if (bytes.length <= headerEnd + TAG_BYTES) return undefined;
  return {
    keyId: bytes.toString('hex', 1, KEY_ID_END),
    header: bytes.subarray(0, headerEnd),
    salt: version === VERSION_WITHOUT_SALT ? undefined : bytes.subarray(KEY_ID_END, idStart),
    tokenId: bytes.subarray(idStart, idEnd),
    ciphertext: bytes.subarray(headerEnd, -TAG_BYTES),
    tag: bytes.subarray(-TAG_BYTES),
    projectId: isLink ? bytes.toString('utf8', idEnd + 1, headerEnd) : undefined,
    saysModelRequested,
  };
}

const NONCE_BYTES = 12;
const BINDING_BYTES = 16;

export interface TokenScope {
  readonly stage: string;
  readonly projectId: string;
}

const SCOPE_KEY_BYTES = 32;
const MOST_SCOPE_KEYS = 1_000;
const scopeKeys = new WeakMap<TokenKey, BoundedMap<string, KeyObject>>();

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

const scopeBytes = ({ stage, projectId }: TokenScope): Buffer => Buffer.from(`${stage}\0${projectId}`);

function deriveKey(scoped: KeyObject, salt: Uint8Array): KeyObject {
  return createSecretKey(createHmac('sha256', scoped).update('seal 2\0').update(salt).digest());
}

export type Grant = Omit<ShowTokenClaims, 'binding' | 'session'>;

const SOME_HASH = '0'.repeat(BINDING_BYTES * 2);

/** @param projectId set for links, whose tokens contain the session values */
export function isWithinToken(
  grant: Omit<Grant, 'tokenId'>,
  session: SessionIds | undefined,
  projectId?: string,
): boolean {
  const hash = (id: string | undefined) => (id === undefined ? undefined : SOME_HASH);
  const { sessionId, observationId, traceId } = session ?? {};
  const hashed = { session: hash(sessionId), observation: hash(observationId), trace: hash(traceId) };
  const attested = projectId === undefined ? { binding: session && hashed } : { session };
  const head = Buffer.alloc(KEY_ID_END - 1 + SALT_BYTES);
  const header = composeHeader(head, Buffer.alloc(TOKEN_ID_BYTES), projectId, hasLabels(grant));
  const plain = encodeClaims({ ...grant, ...attested });
  const bytes = Buffer.alloc(header.length + plain.length + TAG_BYTES);
  return composeShowToken(bytes, grant.modelRequested === true) !== undefined;
}

interface Sealing {
  readonly session?: SessionIds | undefined;
  readonly isLink?: boolean;
}

/**
 * @param salt 12 random bytes, new for every call
 * @returns undefined if the token would exceed 1,024 characters
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
  const head = composeHead(key, salt);
  const scopeBehind = scopeBytes(scope);
  return (grant) => {
    const tokenId = Buffer.from(grant.tokenId, 'hex');
    const header = composeHeader(head, tokenId, isLink ? scope.projectId : undefined, hasLabels(grant));
    const cipher = createCipheriv('aes-256-gcm', encryption, tokenId.subarray(-NONCE_BYTES));
    cipher.setAAD(Buffer.concat([header, scopeBehind]));
    const plain = encodeClaims({ ...grant, ...sealed });
    const bytes = Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return composeShowToken(bytes, grant.modelRequested === true);
  };
}

export interface UnsealedShowToken {
  readonly claims: ShowTokenClaims;
  readonly bind: (ids: SessionIds) => SessionBinding;
}

function openingKey(scoped: KeyObject, { salt, tokenId }: SealedShowToken) {
  if (salt !== undefined) {
    return { encryption: deriveKey(scoped, salt), nonce: tokenId.subarray(-NONCE_BYTES) };
  }
  const bytes = createHmac('sha512', scoped).update('seal\0').update(tokenId).digest();
  return { encryption: createSecretKey(bytes.subarray(0, 32)), nonce: bytes.subarray(32, 44) };
}

/** Returns undefined if the token or its head is forged, or if the scope or key does not match. */
export function unsealShowToken(
  sealed: SealedShowToken,
  scope: TokenScope,
  key: TokenKey,
): UnsealedShowToken | undefined {
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
