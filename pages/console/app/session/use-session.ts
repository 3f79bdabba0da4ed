/** The session of the whole page: where credentials come from, what they may, and what becomes of them. */

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { isEditorKey } from '../../../results/script/reader-key.ts';
import { askAs, type Question, Refused } from './ask.ts';
import { type Credentials, keepCredentials, recallCredentials } from './credentials.ts';
import { type GivenKey, takeKeyFromAddress } from './key-in-address.ts';
import type { Session } from './session.tsx';

/** Asks for nothing and stores nothing: a viewer is refused, an editor is not. */
async function isEditor(credentials: Credentials): Promise<boolean> {
  if (credentials.kind === 'key') return isEditorKey(credentials.key);
  const body = { revision: 0, surveys: [], dryRun: true };
  try {
    await askAs(credentials, '/v1/surveys/definitions', { method: 'PUT', body });
    return true;
  } catch (error) {
    return error instanceof Refused && error.status === 409;
  }
}

export interface Opening {
  readonly credentials: Credentials | undefined;
  /** Why there are none, or no longer any; the screen stays where it is. */
  readonly problem: string | undefined;
  /** Whether what was there has ended; the screens are still shown. */
  readonly hasEnded: boolean;
  /** A key from the address, which waits for an answer: it would replace whoever is signed in. */
  readonly offered: string | undefined;
  readonly open: (credentials: Credentials) => void;
  readonly keepCurrent: () => void;
  readonly forget: () => void;
  readonly session: Omit<Session, 'projectName'>;
}

const NONE: GivenKey = {};

export function useOpening(): Opening {
  const [given] = useState(() => takeKeyFromAddress() ?? NONE);
  const [kept] = useState(recallCredentials);
  const isSame = kept?.kind === 'key' && kept.key === given.key;
  const [credentials, setCredentials] = useState<Credentials | undefined>(() =>
    kept === undefined && given.key !== undefined ? { kind: 'key', key: given.key } : kept,
  );
  const [offered, setOffered] = useState(kept === undefined || isSame ? undefined : given.key);
  const [problem, setProblem] = useState(given.problem);
  const [hasEnded, setEnded] = useState(false);
  const [mayEdit, setMayEdit] = useState(false);

  useEffect(() => {
    keepCredentials(credentials);
    setMayEdit(false);
    if (credentials === undefined) return;
    let isOver = false;
    isEditor(credentials).then((may) => !isOver && setMayEdit(may));
    return () => {
      isOver = true;
    };
  }, [credentials]);

  const ask = useCallback(
    async <Reply>(path: string, question?: Question): Promise<Reply> => {
      if (credentials === undefined) throw new Refused(401);
      try {
        return await askAs<Reply>(credentials, path, question);
      } catch (error) {
        if (error instanceof Refused && error.status === 401) setEnded(true);
        throw error;
      }
    },
    [credentials],
  );
  const session = useMemo(() => ({ ask, mayEdit }), [ask, mayEdit]);

  const open = (next: Credentials): void => {
    setCredentials(next);
    setOffered(undefined);
    setProblem(undefined);
    setEnded(false);
  };
  const forget = (): void => {
    keepCredentials(undefined);
    setCredentials(undefined);
    setOffered(undefined);
    setProblem(undefined);
    setEnded(false);
  };
  return {
    ...{ credentials, problem, hasEnded, offered, open, forget, session },
    keepCurrent: () => setOffered(undefined),
  };
}
