import { deriveKeyId } from '../../shared/domain/ids.ts';
import {
  hasScope,
  type KeyScope,
  type ProjectSettings,
  signedInScopes,
} from '../../shared/domain/project.ts';
import type { CallerKey } from './presented-request.ts';

/** The name recorded for a caller: the person, or the key's id. */
export const whoCalls = ({ person, hash }: CallerKey): string => person ?? deriveKeyId(hash);

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
