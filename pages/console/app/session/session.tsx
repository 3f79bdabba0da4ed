/** Who looks, what they may, and how the screens ask the service in their name. */

import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Question } from './ask.ts';

export interface Session {
  /** Asks the service as the person who looks. @throws Refused */
  readonly ask: <Reply>(path: string, question?: Question) => Promise<Reply>;
  /** Whether they may change surveys and see to contacts; false until it is known. */
  readonly mayEdit: boolean;
}

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

/** The session of the screens, which are only shown within one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('no session');
  return session;
}

/** @returns whether the screen is gone: what it has asked may be answered yet, and is no longer of what somebody sees */
export function useOver(): () => boolean {
  const isOver = useRef(false);
  useLayoutEffect(
    () => () => {
      isOver.current = true;
    },
    [],
  );
  return useCallback(() => isOver.current, []);
}

interface Asked<Reply> {
  /** The last one, also while it is asked again. */
  readonly reply?: Reply;
  readonly problem?: string;
  readonly again: () => void;
}

/**
 * What the service answers to a `GET`: asked when the screen opens, when the address or the session changes, and again.
 * @param address with its query, as `addressOf` makes it
 */
export function useAsked<Reply>(address: string): Asked<Reply> {
  const { ask } = useSession();
  const [shown, setShown] = useState<{ reply?: Reply; problem?: string }>({});
  const current = useRef<AbortController | undefined>(undefined);
  const read = useCallback(() => {
    current.current?.abort();
    const stop = new AbortController();
    current.current = stop;
    ask<Reply>(address, { signal: stop.signal }).then(
      (reply) => setShown({ reply }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        // What was read before stays: it is still the last that is known.
        setShown(({ reply }) => ({ ...(reply !== undefined && { reply }), problem }));
      },
    );
  }, [ask, address]);
  useEffect(() => {
    read();
    return () => current.current?.abort();
  }, [read]);
  return { ...shown, again: read };
}
