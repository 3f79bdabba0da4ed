/**
 * Sealing of show-tokens: AES-256-GCM under a key that is derived for each request that issues tokens, so that no nonce
 * limit is ever near. HKDF-SHA-256 makes a key of each stage and project from a key of the ring; HMAC of the request's
 * random salt under it makes the request's. The nonce is the last 12 bytes of the token id. Version, key id, salt, token id,
 * stage and project are authenticated. Nothing is stored when a token is issued. Tokens for one observation have one id,
 * so it is the salt that keeps one key and nonce from sealing twice.
 *
 *   version 2 | key id 4 | salt 12 | token id 16 | ciphertext | tag 16                                as base64url
 *   version 3 | key id 4 | salt 12 | token id 16 | length 1 | project | ciphertext | tag 16           of a link
 *
 * Versions 4 and 5 are 2 and 3 with labels among what is sealed. Version 1 had no salt: its key and nonce were derived from the token id. Such tokens still open. One that a model may
 * answer to begins with a head that is not sealed, and a dot; what is sealed says the same.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { SessionBinding, SessionIds, ShowTokenClaims } from '../domain/answers/answer.ts';
import { BoundedMap } from '../domain/memory.ts';
import { decodeClaims, encodeClaims } from './claims-encoding.ts';
import { toKeyObject } from './derive.ts';
import type { TokenKey } from './token-ring.ts';

const VERSION = 2;
const VERSION_OF_LINKS = 3;
/** Added to the version of a token that carries labels. */
const WITH_LABELS = 2;
const VERSION_WITHOUT_SALT = 1;
const KEY_ID_END = 5;
export const SALT_BYTES = 12;
const TOKEN_ID_BYTES = 16;
const TAG_BYTES = 16;
/** Most characters of a show-token, its head included (docs/contract.md §7.1). */
const MOST_CHARACTERS = 1_024;

/** `{"amr":true}` (docs/contract.md §7.5). */
const MODEL_REQUESTED_HEAD = `${Buffer.from('{"amr":true}').toString('base64url')}.`;

const hasLabels = ({ labels = {} }: Pick<ShowTokenClaims, 'labels'>): boolean =>
  Object.keys(labels).length > 0;

/** What the headers of all tokens of one request begin with, behind their version. */
function composeHead(key: TokenKey, salt: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(key.id, 'hex'), salt]);
}

/**
 * What precedes the ciphertext: readable, and authenticated.
 * @param projectId of a link, which comes with no key that would name it
 */
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

/** The text of a token; undefined when it would be too long. */
function composeShowToken(bytes: Buffer, mayBeModelRequested: boolean): string | undefined {
  const text = `${mayBeModelRequested ? MODEL_REQUESTED_HEAD : ''}${bytes.toString('base64url')}`;
  return text.length > MOST_CHARACTERS ? undefined : text;
}

export interface SealedShowToken {
  readonly keyId: string;
  readonly header: Buffer;
  /** Absent in version 1. */
  readonly salt: Buffer | undefined;
  readonly tokenId: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
  /** What a link says, not authenticated yet; undefined for other tokens. */
  readonly projectId: string | undefined;
  /** What its head says, not authenticated. */
  readonly saysModelRequested: boolean;
}

/** Splits a token without trusting it; undefined when it is malformed, a non-canonical encoding included. */
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

const SOME_HASH = '0'.repeat(BINDING_BYTES * 2);

/**
 * Whether the token of a grant would have at most 1,024 characters.
 * @param projectId of a link, which carries the session values themselves
 */
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
