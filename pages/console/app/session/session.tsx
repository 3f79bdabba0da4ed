import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Ask, messageOf } from './ask.ts';

export interface Session {
  /** Sends a request as the person. @throws Refused */
  readonly ask: Ask;
  /** False until the rights are known. */
  readonly mayEdit: boolean;
}

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('There is no session.');
  return session;
}

/** Whether the screen was closed. A late reply must not affect the next screen. */
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

/** Keeps the last reply during a new request. @param read a function of module scope */
export function useReply<Reply>(read: (ask: Ask) => Promise<Reply>) {
  const { ask } = useSession();
  const [shown, setShown] = useState<{ reply?: Reply; problem?: string }>({});
  const latest = useRef({});
  const again = useCallback(() => {
    const turn = {};
    latest.current = turn;
    setShown(({ problem: _, ...kept }) => kept);
    const show = (next: typeof shown) =>
      latest.current === turn && setShown((before) => ({ ...before, ...next }));
    read(ask).then(
      (reply) => show({ reply }),
      (error: unknown) => show({ problem: messageOf(error) }),
    );
  }, [ask, read]);
  useEffect(() => {
    again();
    return () => {
      latest.current = {};
    };
  }, [again]);
  return { ...shown, again };
}
