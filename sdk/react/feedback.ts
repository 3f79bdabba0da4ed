import type { Binding } from '@canvass-surveys/browser';
import { createElement, type HTMLAttributes, type ReactElement, useEffect, useRef } from 'react';
import { jsonOf, useProvided } from './provided.ts';

/** Props of `Feedback`, including every attribute of a `div`. */
export interface FeedbackProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  /** An entry of the `bindings` that your server minted for the message. Without one, nothing is shown. */
  readonly binding: Binding | null | undefined;
}

/**
 * Thumbs under a message, in a `div` that takes any other attribute. They show this person's rating, change it and
 * withdraw it. The rating survives unmounting and a reload.
 *
 * Bindings are compared by value, and another binding gets new thumbs. When another person signs in, the thumbs of the
 * previous person disappear.
 *
 * @throws outside of a provider
 * @example
 * <Feedback binding={message.binding} className="thumbs" />
 */
export function Feedback({ binding, ...attributes }: FeedbackProps): ReactElement {
  const { canvass, userId } = useProvided('<Feedback>');
  const frame = useRef<HTMLDivElement>(null);
  const bound = jsonOf(binding);
  const last = useRef({ bound, userId });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the binding by its value
  useEffect(() => {
    if (!canvass || !binding || !frame.current) return undefined;
    const { current: before } = last;
    // The token belongs to the previous person. People who sign in later keep anonymous tokens.
    if (before.userId && before.userId !== userId && before.bound === bound) return undefined;
    last.current = { bound, userId };
    // Thumbs that are drawn late disappear with their place.
    const place = document.createElement('div');
    frame.current.append(place);
    canvass.bind(binding, place);
    return () => place.remove();
  }, [canvass, bound, userId]);

  return createElement('div', { ...attributes, ref: frame });
}
