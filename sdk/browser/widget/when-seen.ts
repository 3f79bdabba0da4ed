import { SEEN_MS, SEEN_SHARE } from '../client/times.ts';

/**
 * Calls `seen` each time half of an element was visible for a second: the viewable impression of the Media Rating
 * Council (Viewable Ad Impression Measurement Guidelines, 2014).
 *
 * @param ended ends the watch
 */
export function whenSeen(element: Element, ended: Pick<AbortController, 'signal'>, seen: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      clearTimeout(timer);
      if (Number(entries.at(-1)?.intersectionRatio) >= SEEN_SHARE) timer = setTimeout(seen, SEEN_MS);
    },
    { threshold: SEEN_SHARE },
  );
  const watch = () => {
    clearTimeout(timer);
    observer.disconnect();
    if (!document.hidden) observer.observe(element);
  };
  document.addEventListener('visibilitychange', watch, ended);
  watch();
}
