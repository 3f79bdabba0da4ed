/** The session of the whole page: where credentials come from, what they may, and what becomes of them. */

import { useCallback, useEffect, useState } from 'preact/hooks';
import { EDITOR_KEYS_END, isEditorKey } from '../../../results/script/reader-key.ts';
import { askAs, type Question, Refused } from './ask.ts';
import { type Credentials, keepCredentials, recallCredentials } from './credentials.ts';
import { type GivenKey, takeKeyFromAddress } from './key-in-address.ts';
import { readOffer, type SignInOffer } from './provider.ts';
import { beginSignIn, finishSignIn, takeAnswer } from './sign-in.ts';

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
  /** How people sign in; undefined where nobody does, and until it is known. */
  readonly offer: SignInOffer | undefined;
  /** Whether it is not known yet who looks. */
  readonly isWaiting: boolean;
  /** Why nobody is in. */
  readonly problem: string | undefined;
  /** Why who was in is not any more; the screens stay where they are. */
  readonly ended: string | undefined;
  /** A key from the address, which waits for an answer: it would replace whoever is in. */
  readonly offered: string | undefined;
  readonly open: (credentials: Credentials) => void;
  readonly signIn: () => void;
  readonly keepCurrent: () => void;
  readonly forget: () => void;
  readonly mayEdit: boolean;
  readonly ask: <Reply>(path: string, question?: Question) => Promise<Reply>;
}

const NONE: GivenKey = {};

function endOf(credentials: Credentials): string {
  if (credentials.kind === 'person') return 'Your sign-in has ended. What you typed is kept in this tab.';
  const why = isEditorKey(credentials.key) ? ` ${EDITOR_KEYS_END}` : '';
  return `Your key opens nothing any more: it has ended or was revoked.${why} What you typed is kept in this tab.`;
}

export function useOpening(): Opening {
  const [answer] = useState(takeAnswer);
  const [given] = useState(() => takeKeyFromAddress() ?? NONE);
  const [kept] = useState(recallCredentials);
  const isSame = kept?.kind === 'key' && kept.key === given.key;
  const [credentials, setCredentials] = useState<Credentials | undefined>(() =>
    kept === undefined && given.key !== undefined ? { kind: 'key', key: given.key } : kept,
  );
  const [offered, setOffered] = useState(kept === undefined || isSame ? undefined : given.key);
  const [problem, setProblem] = useState(given.problem);
  const [ended, setEnded] = useState<string>();
  const [mayEdit, setMayEdit] = useState(false);
  const [offer, setOffer] = useState<SignInOffer>();
  const [isWaiting, setWaiting] = useState(answer !== undefined);

  const open = useCallback((next: Credentials | undefined): void => {
    setCredentials(next);
    setOffered(undefined);
    setProblem(undefined);
    setEnded(undefined);
  }, []);

  useEffect(() => {
    async function begin(): Promise<void> {
      const found = await readOffer();
      setOffer(found);
      if (answer === undefined) return;
      const signedIn = await finishSignIn(answer, found);
      if (typeof signedIn === 'string') setProblem(signedIn);
      else open(signedIn);
      setWaiting(false);
    }
    begin();
  }, [answer, open]);

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
        const isOfKey = question?.isOptional === true && credentials.kind === 'key';
        if (error instanceof Refused && error.status === 401 && !isOfKey) setEnded(endOf(credentials));
        throw error;
      }
    },
    [credentials],
  );

  const signIn = (): void => {
    if (offer === undefined) return;
    setWaiting(true);
    beginSignIn(offer).catch(() => {
      setWaiting(false);
      setProblem('The sign-in could not begin. Load the page again.');
    });
  };
  return {
    ...{ credentials, offer, isWaiting, problem, ended, offered, open, signIn, mayEdit, ask },
    keepCurrent: () => setOffered(undefined),
    forget: () => open(undefined),
  };
}
