import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<AbortSignal | undefined>();

/** Milliseconds. `Infinity` removes a limit; absent ones keep their default. */
export interface TimeLimits {
  readonly requestDeadlineMs?: number | undefined;
  readonly lookUpDeadlineMs?: number | undefined;
  readonly leaseDeadlineMs?: number | undefined;
  readonly keyUseDeadlineMs?: number | undefined;
  readonly foldRequestDeadlineMs?: number | undefined;
}

/** Timers of `AbortSignal.timeout` outlive the work by seconds. `Infinity` adds no limit. */
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

export function withoutDeadline<T>(work: () => Promise<T>): Promise<T> {
  return current.run(undefined, work);
}

export interface Abandonable<T> {
  readonly result: Promise<T>;
  /** Makes `result` reject. */
  abandon(): void;
}

/** A rejection that nobody awaits does not crash the process. */
export function abandonable<T>(work: () => Promise<T>): Abandonable<T> {
  const own = new AbortController();
  const deadline = current.getStore();
  const signal = deadline === undefined ? own.signal : AbortSignal.any([deadline, own.signal]);
  const result = current.run(signal, work);
  result.catch(() => undefined);
  return { result, abandon: () => own.abort(new DOMException('Nobody waits any more', 'AbortError')) };
}

export function currentDeadline(): AbortSignal | undefined {
  return current.getStore();
}

/** Rejects at the deadline, whatever the work is waiting for. @throws DOMException `TimeoutError` */
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
