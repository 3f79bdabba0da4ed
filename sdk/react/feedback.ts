import type { Binding } from '@canvass-surveys/browser';
import { createElement, type HTMLAttributes, type ReactElement, useEffect, useRef } from 'react';
import { jsonOf } from './json-of.ts';
import { useProvided } from './provided.ts';

/** What `Feedback` takes, with every attribute of a `div`. */
export interface FeedbackProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  /** An entry of the `bindings` that your server minted for the message. Without one nothing is shown. */
  readonly binding: Binding | null | undefined;
}

/**
 * Thumbs under a message, in a `div` that takes any other attribute. They show what this person chose for the message,
 * change it and take it back; that outlives unmounting and a reload.
 *
 * The binding is compared by value; another one puts thumbs of its own in place of these. Thumbs of the person before
 * leave when another signs in.
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
    // The token is of the person before. Somebody who signs in where nobody was has it still.
    if (before.userId && before.userId !== userId && before.bound === bound) return undefined;
    last.current = { bound, userId };
    // A place for each binding, so that thumbs that come late go with the place that they were meant for.
    const place = document.createElement('div');
    frame.current.append(place);
    canvass.bind(binding, place);
    return () => place.remove();
  }, [canvass, bound, userId]);

  return createElement('div', { ...attributes, ref: frame });
}
