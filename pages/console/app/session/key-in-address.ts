/** A key in the address: taken out of it at once, since addresses are passed on, and told what to do with it. */

import {
  EDITOR_KEY_IN_ADDRESS,
  isEditorKey,
  isLocal,
  keyProblem,
} from '../../../results/script/reader-key.ts';

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
