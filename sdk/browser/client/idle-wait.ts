import { MODAL_MS } from './times.ts';

/**
 * Waits until the survey interrupts nobody: no typing, pointing or scrolling, no modal dialog, and a visible page.
 *
 * @param idleMs how long a pause in input must be
 * @param changed called when the path changes, the page becomes visible or the network is back
 * @param signal ends all listening
 * @returns runs `next` after a delay (milliseconds) and a pause in input. Each call replaces the previous wait; a call
 *   without `next` only ends it.
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
    // The page can close a dialog without any input. Open reasons under a thumb count as a question, too.
    if (document.querySelector(':modal,.canvass-more')) timer = setTimeout(fire, MODAL_MS);
    else if (!document.hidden) {
      // Comparing addresses avoids patching `history`, and works without the Navigation API.
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
