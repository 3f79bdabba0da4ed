/** Keys of projects: `svc_pk_<project>_<secret>` and `svc_sk_…` (docs/contract.md §5.1). */

import { hash } from 'node:crypto';
import { deriveKeyId } from '../domain/ids.ts';
import type { KeyKind, ProjectKey } from '../domain/project.ts';

const MARKERS: Readonly<Record<KeyKind, string>> = { publishable: 'pk', secret: 'sk' };
const KIND_OF: ReadonlyMap<string, KeyKind> = new Map([
  ['pk', 'publishable'],
  ['sk', 'secret'],
]);
/** What keys begin with unless the deployment says otherwise. */
export const DEFAULT_KEY_ABBREVIATION = 'svc';
/** 192 random bits. */
export const KEY_RANDOM_BYTES = 24;

/** @param random 24 random bytes */
export function composeAccessKey(
  abbreviation: string,
  kind: KeyKind,
  projectId: string,
  random: Uint8Array,
): string {
  return `${abbreviation}_${MARKERS[kind]}_${projectId}_${Buffer.from(random).toString('base64url')}`;
}

/** SHA-256 of a key, lower-case hex: all that is ever stored of it. */
export function hashAccessKey(key: string): string {
  return hash('sha256', key, 'hex');
}

interface KeyRequest {
  readonly abbreviation: string;
  readonly kind: KeyKind;
  readonly projectId: string;
  /** 24 random bytes. */
  readonly random: Uint8Array;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

export interface IssuedKey {
  /** The key itself: to be shown once and stored nowhere. */
  readonly text: string;
  readonly stored: ProjectKey;
}

/** A new key, and what is stored of it. */
export function issueAccessKey({ abbreviation, kind, projectId, random, createdAt }: KeyRequest): IssuedKey {
  const text = composeAccessKey(abbreviation, kind, projectId, random);
  const hash = hashAccessKey(text);
  return { text, stored: { id: deriveKeyId(hash), kind, hash, createdAt } };
}

export interface PresentedKey {
  readonly kind: KeyKind;
  readonly projectId: string;
  readonly hash: string;
}

/** Reads what a key claims; whether it exists is for the project's settings to say. Undefined when malformed. */
export function parseAccessKey(abbreviation: string, key: string): PresentedKey | undefined {
  const match = /^([a-z0-9]+)_(pk|sk)_([a-z0-9]{1,32})_[A-Za-z0-9_-]{32}$/.exec(key);
  const kind = KIND_OF.get(match?.[2] ?? '');
  const projectId = match?.[3];
  if (match?.[1] !== abbreviation || kind === undefined || projectId === undefined) return undefined;
  return { kind, projectId, hash: hashAccessKey(key) };
}
