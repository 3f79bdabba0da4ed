import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { DefinitionsReply } from '../../../../shared/contract/definition-schemas.ts';
import {
  EDITOR_KEY_IN_ADDRESS,
  EDITOR_KEYS_END,
  isEditorKey,
  isLocal,
  keyProblem,
} from '../../../results/script/reader-key.ts';
import { askAs, type Credentials, DEFINITIONS, type Question, Refused } from './ask.ts';
import type { SignInOffer } from './oauth.ts';
import { beginSignIn, finishSignIn, readOffer, takeAnswer } from './sign-in.ts';
import { forgetProject, hasTexts, keep, keepsUnsaved, recallAs } from './tab.ts';

const STORED_AS = 'credentials';

const isCredentials = (value: unknown): value is Credentials =>
  hasTexts(value, 'key') || hasTexts(value, 'token', 'name');

/** Only a local run may put an editor key into `#key=…`. */
function takeKeyFromAddress(): { readonly key?: string; readonly problem?: string } {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return {};
  history.replaceState(null, '', `${location.pathname}#/`);
  const problem = isEditorKey(key) && !isLocal() ? EDITOR_KEY_IN_ADDRESS : keyProblem(key);
  return problem === undefined ? { key } : { problem };
}

const ROLE_AGAIN_MS = { first: 1_000, longest: 30_000 };

/** Asks until the service answers, because a lost or throttled reply says nothing about the role. */
async function isEditor(credentials: Credentials, signal: AbortSignal): Promise<boolean> {
  if (credentials.kind === 'key') return isEditorKey(credentials.key);
  for (let ms = ROLE_AGAIN_MS.first; ; ms = Math.min(2 * ms, ROLE_AGAIN_MS.longest)) {
    try {
      const question = { query: { limit: '1' }, signal };
      const { role } = await askAs<DefinitionsReply>(credentials, DEFINITIONS, question);
      return role === 'editor';
    } catch (error) {
      const isSaid = error instanceof Refused && (error.status === 401 || error.status === 403);
      if (isSaid || signal.aborted) return false;
    }
    await new Promise((again) => setTimeout(again, ms));
  }
}

export type Opening = ReturnType<typeof useOpening>;

const NOT_LOADED =
  'The sign-in did not finish because part of the page failed to load. Reload the page and sign in again.';

function endOf(credentials: Credentials): string {
  if (credentials.kind === 'person')
    return 'Your sign-in has expired. Your changes stay in this tab until you close it.';
  const why = isEditorKey(credentials.key) ? ` ${EDITOR_KEYS_END}` : '';
  return `Your key does not work. It may be mistyped, expired, or revoked.${why} Your changes stay in this tab until you close it.`;
}

export function useOpening() {
  const [answer] = useState(takeAnswer);
  const [given] = useState(takeKeyFromAddress);
  const [kept] = useState(() => recallAs(STORED_AS, isCredentials));
  const isSame = kept?.kind === 'key' && kept.key === given.key;
  const [credentials, setCredentials] = useState<Credentials | undefined>(() =>
    kept === undefined && given.key !== undefined ? { kind: 'key', key: given.key } : kept,
  );
  /** A key from the address, which the person may accept. */
  const [offered, setOffered] = useState(kept === undefined || isSame ? undefined : given.key);
  const [problem, setProblem] = useState(given.problem);
  /** Why the credentials no longer work. The screens stay open. */
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
    keep(STORED_AS, credentials === undefined ? null : JSON.stringify(credentials));
    setMayEdit(false);
    if (credentials === undefined) return;
    const over = new AbortController();
    isEditor(credentials, over.signal).then((may) => !over.signal.aborted && setMayEdit(may));
    return () => over.abort();
  }, [credentials]);

  // Runs before the listener of the routes, which must not read an address with a key.
  useEffect(() => {
    const take = (): void => {
      const { key, problem: wrong } = takeKeyFromAddress();
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
        const isCurrent = current.current === credentials;
        if (error instanceof Refused && error.status === 401 && isCurrent && !isOfKey)
          setEnded(endOf(credentials));
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
      setProblem('The sign-in did not start. Reload the page, and then sign in again.');
    });
  };
  const leave = (): void => {
    forgetProject();
    open(undefined);
  };
  return {
    ...{ credentials, offer, isWaiting, problem, ended, offered, open, signIn, mayEdit, ask },
    keepCurrent: () => setOffered(undefined),
    signOut: () => (keepsUnsaved() ? setLeaving(true) : leave()),
    ...{ isLeaving, leave },
    stay: () => setLeaving(false),
  };
}
