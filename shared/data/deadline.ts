/** How long the work of one request may go on: every call to a dependency made within it ends by then. */

import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<AbortSignal | undefined>();

/**
 * Runs work whose calls are cut off after so many milliseconds; within it, a shorter or longer one may be set. Its timer
 * ends with the work: one of `AbortSignal.timeout` would live on for seconds, thousands of them under load.
 */
export async function withDeadline<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new DOMException('The time of the request is over', 'TimeoutError')),
    milliseconds,
  );
  try {
    return await current.run(deadline.signal, work);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs work that the request under way begins and does not wait for: its calls have all their own time. */
export function withoutDeadline<T>(work: () => Promise<T>): Promise<T> {
  return current.run(undefined, work);
}

/** Aborted when the time of the work that this call belongs to is over. */
export function currentDeadline(): AbortSignal | undefined {
  return current.getStore();
}

interface HandlerOptions {
  abortSignal?: unknown;
}

interface Handler<Request, Response, Options extends HandlerOptions> {
  handle(request: Request, options?: Options): Promise<Response>;
}

/** Makes an SDK client's HTTP handler end its requests with the deadline of the work that they belong to. */
export function obeyDeadline<Request, Response, Options extends HandlerOptions>(
  handler: Handler<Request, Response, Options>,
): void {
  const handle = handler.handle.bind(handler);
  handler.handle = (request, options) => {
    const deadline = current.getStore();
    if (deadline === undefined) return handle(request, options);
    const own = options?.abortSignal;
    const signal = own instanceof AbortSignal ? AbortSignal.any([own, deadline]) : deadline;
    return handle(request, Object.assign({}, options, { abortSignal: signal }));
  };
}
