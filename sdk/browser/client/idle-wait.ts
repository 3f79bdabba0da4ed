import { MODAL_MS } from './times.ts';

/**
 * Waits until nobody is interrupted: not while the person types, points or scrolls, not in a modal dialog, and not while
 * nobody looks.
 *
 * @param idleMs how long a pause in input must be
 * @param changed told when the view changes or is looked at again, or the network is back
 * @param signal ends all listening
 * @returns what runs `next` after a delay (milliseconds) and a pause in input. One waits at a time: a call ends the wait
 *   before, and a call without `next` only that.
 */
export function createIdleWait(
  idleMs: number,
  changed: () => void,
  signal: AbortSignal,
): (delayMs?: number, next?: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let then: (() => void) | undefined;
  let due = 0;
  let href = '';

  const listen = (target: EventTarget | undefined, type: string, heard: () => void) =>
    target?.addEventListener(type, heard, { capture: true, signal });
  const arm = () => {
    clearTimeout(timer);
    if (then) timer = setTimeout(fire, Math.max(due - Date.now(), idleMs));
  };
  const fire = () => {
    // The page may close it without any input. Words under a thumb are a question already.
    if (document.querySelector(':modal,.canvass-more')) timer = setTimeout(fire, MODAL_MS);
    else if (!document.hidden) {
      // Comparing addresses needs no patch of `history`, also where there is no Navigation API.
      const run = href === location.href ? then : changed;
      then = undefined;
      run?.();
    }
  };
  if (!signal.aborted) {
    for (const type of ['keydown', 'pointerdown', 'scroll']) listen(window, type, arm);
    listen(window, 'online', changed);
    listen(window.navigation, 'currententrychange', () => href !== location.href && changed());
    listen(document, 'visibilitychange', () => document.hidden || changed());
  }

  return (delayMs = 0, next) => {
    due = Date.now() + idleMs + delayMs;
    then = next;
    arm();
    href = globalThis.location?.href;
  };
}
