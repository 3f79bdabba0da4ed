import type { Events } from '@canvass-surveys/browser';
import { useEffect, useRef } from 'react';
import { useCanvass } from './provider.ts';

/**
 * Listens to an event of the client while the component is mounted. The listener may change with each render; the
 * latest is called.
 *
 * @throws outside of a provider
 * @example
 * useCanvassEvent('answered', ({ survey, rating }) => track('survey answered', { slug: survey.slug, rating }));
 */
export function useCanvassEvent<E extends keyof Events>(
  event: E,
  listener: (detail: Events[E]) => void,
): void {
  const canvass = useCanvass();
  const last = useRef(listener);
  useEffect(() => {
    last.current = listener;
  });
  useEffect(() => canvass?.on(event, (detail) => last.current(detail)), [canvass, event]);
}
