/** How long the work of one request may go on: every call to a dependency made within it ends by then. */

import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<AbortSignal | undefined>();

/** Time limits within a request, milliseconds; `Infinity` is none, and what is absent is as deployed. */
export interface TimeLimits {
  /** All calls of the request; as deployed, what the route's time-out leaves. */
  readonly requestDeadlineMs?: number | undefined;
  /** Looking up a write that got no reply, beyond the request's own limit. */
  readonly lookUpDeadlineMs?: number | undefined;
  /** A lease of permits: without one the request passes. */
  readonly leaseDeadlineMs?: number | undefined;
  /** Noting that a key is in use. */
  readonly keyUseDeadlineMs?: number | undefined;
  /** Asking for a fold. */
  readonly foldRequestDeadlineMs?: number | undefined;
}

/**
 * Runs work whose calls are cut off after so many milliseconds, and with the deadline of the work around it; `Infinity`
 * adds no limit. Its timer ends with the work: one of `AbortSignal.timeout` would live on for seconds, thousands of them
 * under load.
 */
export async function withDeadline<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  if (milliseconds === Number.POSITIVE_INFINITY) return work();
  const outer = current.getStore();
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new DOMException('The time of the request is over', 'TimeoutError')),
    milliseconds,
  );
  try {
    const signal = outer === undefined ? deadline.signal : AbortSignal.any([outer, deadline.signal]);
    return await current.run(signal, work);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs work beyond the deadline of the request that begins it: its calls have none. */
export function withoutDeadline<T>(work: () => Promise<T>): Promise<T> {
  return current.run(undefined, work);
}

/** Work that is begun before it is known whether its result is needed. */
export interface Abandonable<T> {
  readonly result: Promise<T>;
  /** Cuts its calls off; `result` then rejects. */
  abandon(): void;
}

/** Begins work that ends with the deadline, or once it is abandoned. An unawaited rejection is no error. */
export function abandonable<T>(work: () => Promise<T>): Abandonable<T> {
  const own = new AbortController();
  const deadline = current.getStore();
  const signal = deadline === undefined ? own.signal : AbortSignal.any([deadline, own.signal]);
  const result = current.run(signal, work);
  result.catch(() => undefined);
  return { result, abandon: () => own.abort(new DOMException('Nobody waits any more', 'AbortError')) };
}

/** Aborted when the time of the work that this call belongs to is over. */
export function currentDeadline(): AbortSignal | undefined {
  return current.getStore();
}

/**
 * Work that ends with the deadline, whatever it waits for: an SDK's pause between two attempts knows of none. Its
 * late result is ignored; its calls are cut off on their own.
 * @throws DOMException `TimeoutError`
 */
export function untilDeadline<T>(work: () => Promise<T>): Promise<T> {
  const deadline = current.getStore();
  if (deadline === undefined) return work();
  return new Promise((resolve, reject) => {
    const end = () => reject(deadline.reason);
    if (deadline.aborted) return end();
    deadline.addEventListener('abort', end, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => deadline.removeEventListener('abort', end));
  });
}

interface HandlerOptions {
  abortSignal?: unknown;
}

interface Handler<Request, Response, Options extends HandlerOptions> {
  handle(request: Request, options?: Options): Promise<Response>;
}

type Middleware = <Args, Output>(next: (args: Args) => Promise<Output>) => (args: Args) => Promise<Output>;

interface Client<Request, Response, Options extends HandlerOptions> {
  readonly config: { readonly requestHandler: Handler<Request, Response, Options> };
  readonly middlewareStack: {
    add(middleware: Middleware, options: { readonly step: 'initialize'; readonly name: string }): void;
  };
}

/**
 * Makes an SDK client end its calls, and the HTTP requests within them, with the deadline of the work that they belong
 * to.
 */
export function obeyDeadline<Request, Response, Options extends HandlerOptions>({
  config,
  middlewareStack,
}: Client<Request, Response, Options>): void {
  middlewareStack.add((next) => (args) => untilDeadline(() => next(args)), {
    step: 'initialize',
    name: 'deadline',
  });
  const handler = config.requestHandler;
  const handle = handler.handle.bind(handler);
  handler.handle = (request, options) => {
    const deadline = current.getStore();
    if (deadline === undefined) return handle(request, options);
    const own = options?.abortSignal;
    const signal = own instanceof AbortSignal ? AbortSignal.any([own, deadline]) : deadline;
    return handle(request, Object.assign({}, options, { abortSignal: signal }));
  };
}
