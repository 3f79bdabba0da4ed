import { deriveKeyId } from '../../shared/domain/ids.ts';
import type { CallerKey } from './presented-request.ts';

/** By which name what a caller does is noted: that of who is signed in, else the key's id. */
export const whoCalls = ({ person, hash }: CallerKey): string => person ?? deriveKeyId(hash);
