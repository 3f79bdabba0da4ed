/**
 * See docs/contract.md §5.1: `svc_pk_<project>_<value>`, `svc_sk_…`, `svc_rk_…` and `svc_ek_…`. The value is 24 random
 * bytes and a keyed check of 12, so forged keys are refused without reading the table (decision 70).
 */

import { hash, timingSafeEqual } from 'node:crypto';
import { deriveKeyId } from '../domain/ids.ts';
import { BoundedMap } from '../domain/memory.ts';
import type { KeyKind, KeyScope, ProjectKey } from '../domain/project.ts';
import { keyedHash } from './derive.ts';

const MARKERS: Readonly<Record<KeyKind, string>> = {
  publishable: 'pk',
  secret: 'sk',
  reader: 'rk',
  editor: 'ek',
};
const KIND_OF: ReadonlyMap<string, KeyKind> = new Map([
  ['pk', 'publishable'],
  ['sk', 'secret'],
  ['rk', 'reader'],
  ['ek', 'editor'],
]);
export const DEFAULT_KEY_ABBREVIATION = 'svc';
export const KEY_RANDOM_BYTES = 24;
const CHECK_BYTES = 12;
const CHECK_CHARACTERS = 16;

interface KeyFields {
  readonly abbreviation: string;
  readonly kind: KeyKind;
  readonly projectId: string;
  readonly random: Uint8Array;
}

function checkOf(hashSecret: Uint8Array, projectId: string, checked: string): Buffer {
  return keyedHash(hashSecret, 'access-key', projectId, checked).subarray(0, CHECK_BYTES);
}

export function composeAccessKey(
  hashSecret: Uint8Array,
  { abbreviation, kind, projectId, random }: KeyFields,
): string {
  const checked = `${abbreviation}_${MARKERS[kind]}_${projectId}_${Buffer.from(random).toString('base64url')}`;
  return checked + checkOf(hashSecret, projectId, checked).toString('base64url');
}

/** SHA-256, lower-case hex; the only part of a key that is stored. */
export function hashAccessKey(key: string): string {
  return hash('sha256', key, 'hex');
}

export interface KeyRequest extends KeyFields {
  readonly createdAt: string;
  readonly scopes?: readonly KeyScope[] | undefined;
  readonly expiresAt?: string | undefined;
}

export interface IssuedKey {
  /** Shown once and never stored. */
  readonly text: string;
  readonly stored: ProjectKey;
}

export function issueAccessKey(
  hashSecret: Uint8Array,
  { createdAt, scopes, expiresAt, ...parts }: KeyRequest,
): IssuedKey {
  const text = composeAccessKey(hashSecret, parts);
  const hash = hashAccessKey(text);
  return {
    text,
    stored: {
      id: deriveKeyId(hash),
      kind: parts.kind,
      hash,
      createdAt,
      ...(scopes !== undefined && { scopes }),
      ...(expiresAt !== undefined && { expiresAt }),
    },
  };
}

export interface ClaimedKey {
  readonly text: string;
  readonly kind: KeyKind;
  readonly projectId: string;
}

export function parseAccessKey(abbreviation: string, text: string): ClaimedKey | undefined {
  const match = /^([a-z0-9]+)_(pk|sk|rk|ek)_([a-z0-9]{1,32})_[A-Za-z0-9_-]{48}$/.exec(text);
  const kind = KIND_OF.get(match?.[2] ?? '');
  const projectId = match?.[3];
  if (match?.[1] !== abbreviation || kind === undefined || projectId === undefined) return undefined;
  return { text, kind, projectId };
}

/** The project's settings determine whether the key is still valid. */
export interface PresentedKey {
  readonly kind: KeyKind;
  readonly projectId: string;
  readonly hash: string;
}

const MOST_MADE_HERE = 1_000;
/** One map for each secret. */
const madeHere = new WeakMap<Uint8Array, BoundedMap<string, true>>();

function isCheckRight(hashSecret: Uint8Array, { text, projectId }: ClaimedKey): boolean {
  const check = Buffer.from(text.slice(-CHECK_CHARACTERS), 'base64url');
  return timingSafeEqual(check, checkOf(hashSecret, projectId, text.slice(0, -CHECK_CHARACTERS)));
}

export function checkAccessKey(hashSecret: Uint8Array, claimed: ClaimedKey): PresentedKey | undefined {
  const hash = hashAccessKey(claimed.text);
  const known = madeHere.get(hashSecret) ?? new BoundedMap<string, true>(MOST_MADE_HERE);
  madeHere.set(hashSecret, known);
  if (known.get(hash) === undefined) {
    if (!isCheckRight(hashSecret, claimed)) return undefined;
    known.set(hash, true);
  }
  return { kind: claimed.kind, projectId: claimed.projectId, hash };
}
