/** An abort signal that a clock or a caller can trip, whichever is first; `release` lets go of both. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether it was the clock. */
  expired(): boolean;
  release(): void;
}

/** `AbortSignal.any` and `AbortSignal.timeout` in one, for runtimes that lack the former (Node before 20.3). */
export function limitTime(milliseconds: number, outer?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  let expired = false;
  const abort = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => {
    expired = true;
    controller.abort();
  }, milliseconds);
  if (outer?.aborted === true) abort();
  else outer?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    expired: () => expired,
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}
