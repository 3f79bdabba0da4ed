/** The session of the whole page: where credentials come from, what they may, and what becomes of them. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { DefinitionsReply } from '../../../../shared/contract/definition-schemas.ts';
import { EDITOR_KEYS_END, isEditorKey } from '../../../results/script/reader-key.ts';
import { askAs, type Question, Refused } from './ask.ts';
import {
  type Credentials,
  type GivenKey,
  keepCredentials,
  recallCredentials,
  takeKeyFromAddress,
} from './credentials.ts';
import type { SignInOffer } from './oauth.ts';
import { beginSignIn, finishSignIn, readOffer, takeAnswer } from './sign-in.ts';
import { forgetAll, keepsUnsaved } from './tab.ts';

/** Between two questions for the role, doubled each time up to the longest. */
const ROLE_AGAIN_MS = { first: 1_000, longest: 30_000 };

/** Asks until the service says it: a reply that was lost, or refused for a moment, says nothing of somebody's role. */
async function isEditor(credentials: Credentials, signal: AbortSignal): Promise<boolean> {
  if (credentials.kind === 'key') return isEditorKey(credentials.key);
  for (let ms = ROLE_AGAIN_MS.first; ; ms = Math.min(2 * ms, ROLE_AGAIN_MS.longest)) {
    try {
      const question = { query: { limit: '1' }, signal };
      const { role } = await askAs<DefinitionsReply>(credentials, '/v1/surveys/definitions', question);
      return role === 'editor';
    } catch (error) {
      const isSaid = error instanceof Refused && (error.status === 401 || error.status === 403);
      if (isSaid || signal.aborted) return false;
    }
    await new Promise((again) => setTimeout(again, ms));
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
  /** A key from the address, which waits for an answer: it would replace who is in. */
  readonly offered: string | undefined;
  readonly open: (credentials: Credentials) => void;
  readonly signIn: () => void;
  readonly keepCurrent: () => void;
  /** Forgets who is in and all that the tab keeps; asks first where that is something unsaved. */
  readonly forget: () => void;
  /** Whether that is asked. */
  readonly isLeaving: boolean;
  readonly leave: () => void;
  readonly stay: () => void;
  readonly mayEdit: boolean;
  readonly ask: <Reply>(path: string, question?: Question) => Promise<Reply>;
}

const NONE: GivenKey = {};

const NOT_LOADED =
  'The sign-in did not finish because part of the page failed to load. Reload the page and sign in again.';

function endOf(credentials: Credentials): string {
  if (credentials.kind === 'person') return 'Your sign-in has expired. Your changes are kept in this tab.';
  const why = isEditorKey(credentials.key) ? ` ${EDITOR_KEYS_END}` : '';
  return `Your key does not work. It is mistyped, has expired, or was revoked.${why} Your changes are kept in this tab.`;
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
  const [isLeaving, setLeaving] = useState(false);
  const current = useRef(credentials);
  current.current = credentials;

  const open = useCallback((next: Credentials | undefined): void => {
    setCredentials(next);
    setOffered(undefined);
    setLeaving(false);
    setProblem(undefined);
    setEnded(undefined);
  }, []);

  useEffect(() => {
    async function begin(): Promise<void> {
      const found = await readOffer();
      setOffer(found);
      if (answer === undefined) return;
      const signedIn = await finishSignIn(answer, found).catch(() => NOT_LOADED);
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
    const over = new AbortController();
    isEditor(credentials, over.signal).then((may) => !over.signal.aborted && setMayEdit(may));
    return () => over.abort();
  }, [credentials]);

  // Added once, before the route listens: that is not to read an address with a key.
  useEffect(() => {
    const take = (): void => {
      const { key, problem: wrong } = takeKeyFromAddress() ?? NONE;
      if (wrong !== undefined) setProblem(wrong);
      if (key === undefined) return;
      const who = current.current;
      if (who === undefined) open({ kind: 'key', key });
      else if (who.kind !== 'key' || who.key !== key) setOffered(key);
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [open]);

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
      setProblem('The sign-in could not start. Reload the page.');
    });
  };
  const leave = (): void => {
    forgetAll();
    open(undefined);
  };
  return {
    ...{ credentials, offer, isWaiting, problem, ended, offered, open, signIn, mayEdit, ask },
    keepCurrent: () => setOffered(undefined),
    forget: () => (keepsUnsaved() ? setLeaving(true) : leave()),
    ...{ isLeaving, leave },
    stay: () => setLeaving(false),
  };
}
