import { MODAL_MS } from './times.ts';

/**
 * A survey waits for a pause in input, no modal dialog, and a visible page.
 *
 * @param changed called when the path changes, the page becomes visible or the network is back
 * @param signal ends all listening
 * @returns runs `next` after a delay and a pause. Each call replaces the previous wait; without `next` it only ends.
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

  const listen = (type: string, heard: () => void, target: EventTarget = window) =>
    target.addEventListener(type, heard, { capture: true, signal });
  const arm = () => {
    clearTimeout(timer);
    if (then) timer = setTimeout(fire, Math.max(due - Date.now(), idleMs));
  };
  const fire = () => {
    // Pages can close dialogs without any input. Open reasons below a thumb also block surveys.
    if (document.querySelector(':modal,.canvass-more')) timer = setTimeout(fire, MODAL_MS);
    else if (!document.hidden) {
      // Works without patching `history` and without the Navigation API.
      const run = href === location.href ? then : changed;
      then = undefined;
      run?.();
    }
  };
  if (!signal.aborted) {
    listen('keydown', arm);
    listen('pointerdown', arm);
    listen('scroll', arm);
    listen('online', changed);
    listen('currententrychange', () => href !== location.href && changed(), window.navigation);
    listen('visibilitychange', () => document.hidden || changed());
  }

  return (delayMs = 0, next) => {
    due = idleMs + delayMs + Date.now();
    then = next;
    arm();
    href = globalThis.location?.href;
  };
}
