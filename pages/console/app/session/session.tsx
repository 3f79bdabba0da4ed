/** Who looks, what they may, and how the screens ask the service in their name. */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
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
