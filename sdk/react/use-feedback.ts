import type { AnySurveys, Binding, MessageRating, ReasonOf } from '@canvass-surveys/browser';
import { useCallback, useEffect, useRef, useState } from 'react';
import { jsonOf } from './json-of.ts';
import { useProvided } from './provided.ts';

interface Known extends Pick<MessageRating, 'rating' | 'pending'> {
  /** Of which message, for which person. */
  readonly of: string;
}

/**
 * What this person rated a message, for buttons of your own. It is kept, delivered and changed as by `<Feedback>`, also over
 * a reload; `rating` is absent where there is none, and `pending` until the service has it. Without a binding nothing
 * happens. Both functions stay the same over renders. With the types of your surveys, `useFeedback<Surveys>(binding)`, it
 * takes their reasons alone.
 *
 * @throws outside of a provider
 * @example
 * const { rating, rate, withdraw } = useFeedback(message.binding);
 * return <button aria-pressed={rating === 1} onClick={() => (rating === 1 ? withdraw() : rate(1))}>Good</button>;
 */
export function useFeedback<Surveys extends AnySurveys = AnySurveys>(
  binding: Binding | null | undefined,
): MessageRating<ReasonOf<Surveys>> {
  const { canvass, userId } = useProvided('useFeedback');
  const bound = jsonOf(binding);
  const of = jsonOf([bound, userId]);
  const [known, setKnown] = useState<Known>({ of, pending: false });
  const message = useRef<Pick<MessageRating, 'rate' | 'withdraw'>>(undefined);
  /** What was clicked before the client was there. */
  const early = useRef<(known: MessageRating) => void>(undefined);
  const last = useRef({ bound, userId });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the binding by its value
  useEffect(() => {
    if (!canvass || !binding) return undefined;
    const { current: before } = last;
    // The token is of the person before. Somebody who signs in where nobody was has it still.
    if (before.userId && before.userId !== userId && before.bound === bound) return undefined;
    last.current = { bound, userId };
    let isOver = false;
    canvass.bind(binding, (told) => {
      if (isOver) return false;
      message.current = told;
      setKnown({ of, rating: told.rating, pending: told.pending });
      const { current: clicked } = early;
      early.current = undefined;
      clicked?.(told);
      return true;
    });
    return () => {
      isOver = true;
      message.current = undefined;
      early.current = undefined;
    };
  }, [canvass, bound, userId]);

  const act = useCallback((click: (known: Pick<MessageRating, 'rate' | 'withdraw'>) => void) => {
    if (message.current) click(message.current);
    else early.current = click;
  }, []);
  const rate = useCallback<MessageRating['rate']>((...given) => act((to) => to.rate(...given)), [act]);
  const withdraw = useCallback(() => act((to) => to.withdraw()), [act]);
  const { rating, pending } = known.of === of ? known : { rating: undefined, pending: false };
  return { rating, pending, rate, withdraw };
}
