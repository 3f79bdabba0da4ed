import type { AnySurveys, Binding, Delivery, MessageRating, ReasonOf } from '@canvass-surveys/browser';
import { useCallback, useEffect, useInsertionEffect, useMemo, useRef, useState } from 'react';
import { jsonOf, notAsked, useProvided } from './provided.ts';

type Known = Pick<MessageRating, 'rate' | 'withdraw'>;
type Click = (known?: Known) => void;

/** Exists while the hook's arguments stay the same. */
interface Message {
  /** Defined once the rating is known. */
  known?: Known | undefined;
  /** Clicks before the rating was known. They are sent even if the message is gone. */
  early: Click[];
}

interface Shown extends Pick<MessageRating, 'rating' | 'pending'> {
  readonly of: Message;
}

/**
 * A message's rating, for your own buttons. It is stored, delivered and changed as with `<Feedback>`, and survives a
 * reload. `rating` is absent if there is none, and `pending` is true until the service has it. Without a binding,
 * nothing is stored, and `rate` resolves to `not-asked`. Both functions are stable. With the types of your surveys,
 * `useFeedback<Surveys>(binding)`, it accepts only their reasons.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one for another message or person
  const message = useMemo((): Message => ({ early: [] }), [bound, userId]);
  const [shown, setShown] = useState<Shown>({ of: message, rating: undefined, pending: false });
  /** Undefined if the token belongs to the previous person. Null without a binding. */
  const current = useRef<Message | null>(undefined);
  const last = useRef({ bound, userId });

  // Must run before anything can be clicked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the binding by its value
  useInsertionEffect(() => {
    const { current: before } = last;
    // People who sign in later keep anonymous tokens.
    const isTheirs = !before.userId || before.userId === userId || before.bound !== bound;
    current.current = binding ? (isTheirs ? message : undefined) : null;
    if (current.current) last.current = { bound, userId };
  }, [message]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the binding by its value
  useEffect(() => {
    message.known = undefined;
    if (!canvass || !binding || current.current !== message) return undefined;
    let isOver = false;
    canvass.bind(binding, (told) => {
      const { early } = message;
      message.early = [];
      if (!isOver) {
        message.known = told;
        setShown({ of: message, rating: told.rating, pending: told.pending });
      }
      for (const click of early) click(told);
      return !isOver;
    });
    return () => {
      isOver = true;
    };
  }, [canvass, message]);

  const act = useCallback((rating: number | undefined, click: Click) => {
    const { current: clicked } = current;
    if (clicked?.known) return click(clicked.known);
    if (!clicked) return click();
    clicked.early.push(click);
    setShown({ of: clicked, rating, pending: true });
  }, []);
  const rate = useCallback<MessageRating['rate']>(
    (rating, detail) =>
      new Promise<Delivery>((resolve) => {
        const refused: Delivery = { status: 'refused', surveyId: '', rating, ...detail };
        act(rating, (to) =>
          resolve(to?.rate(rating, detail) ?? (current.current === null ? notAsked() : refused)),
        );
      }),
    [act],
  );
  const withdraw = useCallback(() => act(undefined, (to) => to?.withdraw()), [act]);
  const { rating, pending } = shown.of === message ? shown : { rating: undefined, pending: false };
  return { rating, pending, rate, withdraw };
}
