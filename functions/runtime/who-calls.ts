/** Who calls: under which name, and what they may do. */

import { deriveKeyId } from '../../shared/domain/ids.ts';
import {
  hasScope,
  type KeyScope,
  type ProjectSettings,
  signedInScopes,
} from '../../shared/domain/project.ts';
import type { CallerKey } from './presented-request.ts';

/** By which name what a caller does is noted: that of who is signed in, else the key's id. */
export const whoCalls = ({ person, hash }: CallerKey): string => person ?? deriveKeyId(hash);

/** Whether a caller whose key or sign-in is in order may do this. */
export function callerMay(
  { kind, hash, person }: CallerKey,
  scope: KeyScope,
  settings: ProjectSettings,
): boolean {
  if (person === undefined) {
    const key = settings.keys.get(hash);
    return key !== undefined && hasScope(key, scope);
  }
  return signedInScopes(kind === 'editor' ? 'editor' : 'reader', settings.project).includes(scope);
}
