/** Who looks: a key of a person, or somebody's ID token. It is kept in the tab and sent to the service alone. */

import {
  EDITOR_KEY_IN_ADDRESS,
  isEditorKey,
  isLocal,
  keyProblem,
} from '../../../results/script/reader-key.ts';
import { keep, PROJECT, recall } from './tab.ts';

export type Credentials =
  | { readonly kind: 'key'; readonly key: string }
  /** With the name by which somebody knows themselves. */
  | { readonly kind: 'person'; readonly token: string; readonly name: string };

const STORED_AS = 'credentials';

export const keepCredentials = (credentials: Credentials | undefined): void =>
  keep(STORED_AS, credentials === undefined ? null : JSON.stringify(credentials));

export function recallCredentials(): Credentials | undefined {
  const kept: unknown = JSON.parse(recall(STORED_AS) ?? 'null');
  if (typeof kept !== 'object' || kept === null) return undefined;
  if ('key' in kept && typeof kept.key === 'string') return { kind: 'key', key: kept.key };
  if (!('token' in kept) || typeof kept.token !== 'string') return undefined;
  const name = 'name' in kept && typeof kept.name === 'string' ? kept.name : '';
  return { kind: 'person', token: kept.token, name };
}

/** Headers of a request (docs/contract.md §20.2). */
export const headersOf = (credentials: Credentials): Readonly<Record<string, string>> =>
  credentials.kind === 'key'
    ? { authorization: `Bearer ${credentials.key}` }
    : { authorization: `Bearer ${credentials.token}`, 'x-canvass-project': PROJECT };

export interface GivenKey {
  readonly key?: string;
  /** Why it is not used. */
  readonly problem?: string;
}

/** The key in `#key=…`; only a local run may put an editor's there. Undefined where there is none. */
export function takeKeyFromAddress(): GivenKey | undefined {
  const given = new URLSearchParams(location.hash.slice(1));
  const key = given.get('key');
  if (key === null) return undefined;
  history.replaceState(null, '', `${location.pathname}#/`);
  if (isEditorKey(key) && !isLocal()) return { problem: EDITOR_KEY_IN_ADDRESS };
  const problem = keyProblem(key);
  return problem === undefined ? { key } : { problem };
}
