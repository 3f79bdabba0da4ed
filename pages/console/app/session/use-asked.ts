import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from './session.tsx';

export interface Asked<Reply> {
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
