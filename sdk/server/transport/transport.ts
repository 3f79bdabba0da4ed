/** One call of the service: attempts with full jitter between them, all inside a deadline. */

import { CanvassError } from '../canvass-error.ts';
import { errorOfReply } from './error-reply.ts';
import { retryAfterMs } from './retry-after.ts';
import { limitTime } from './time-limit.ts';
import type { Timers } from './timers.ts';

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;

export interface TransportOptions {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly fetch: typeof fetch;
  readonly timers: Timers;
  readonly deadlineMs: number;
  readonly attemptTimeoutMs: number;
}

export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for this call with its retries, in place of the client's. */
  readonly deadlineMs?: number;
}

export interface Call extends CallOptions {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
  /** Milliseconds for one attempt where the route takes longer than others. */
  readonly attemptTimeoutMs?: number;
}

/** Sends a call and resolves to its reply's JSON; that the service keeps its contract is taken on trust. */
export type Transport = <Reply>(call: Call) => Promise<Reply>;

type Attempt<Reply> =
  | { readonly reply: Reply }
  | { readonly error: CanvassError; readonly retryable: boolean; readonly retryAfter?: number | undefined };

function buildUrl(baseUrl: string, { path, query = {} }: Call): string {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

function unreached(call: Call, expired: boolean, cause: unknown): CanvassError {
  const where = `${call.method} ${call.path}`;
  return expired
    ? new CanvassError(`${where}: no reply in time`, { status: 0, code: 'timeout', cause })
    : new CanvassError(`${where}: no reply`, { status: 0, code: 'network_error', cause });
}

function readReply<Reply>(response: Response, body: string): Attempt<Reply> {
  try {
    return { reply: JSON.parse(body) };
  } catch {
    return { error: errorOfReply(response, ''), retryable: false };
  }
}

export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, secretKey, timers } = options;

  async function attempt<Reply>(call: Call, timeoutMs: number): Promise<Attempt<Reply>> {
    const limit = limitTime(timeoutMs, call.signal);
    try {
      const response = await options.fetch(buildUrl(baseUrl, call), {
        method: call.method,
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: 'application/json',
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
        // Elsewhere the key is none of anybody's business.
        redirect: 'manual',
        signal: limit.signal,
      });
      const body = await response.text();
      if (response.ok) return readReply(response, body);
      return {
        error: errorOfReply(response, body),
        retryable: response.status === 429 || response.status >= 500,
        retryAfter: retryAfterMs(response.headers.get('retry-after'), timers.now()),
      };
    } catch (cause) {
      call.signal?.throwIfAborted();
      return { error: unreached(call, limit.expired(), cause), retryable: true };
    } finally {
      limit.release();
    }
  }

  return async <Reply>(call: Call) => {
    const deadline = timers.now() + (call.deadlineMs ?? options.deadlineMs);
    for (let backoff = FIRST_BACKOFF_MS; ; backoff = Math.min(LONGEST_BACKOFF_MS, backoff * 2)) {
      call.signal?.throwIfAborted();
      const timeoutMs = Math.min(call.attemptTimeoutMs ?? options.attemptTimeoutMs, deadline - timers.now());
      const outcome = await attempt<Reply>(call, Math.max(1, timeoutMs));
      if ('reply' in outcome) return outcome.reply;
      const pause = (outcome.retryAfter ?? 0) + timers.random() * backoff;
      if (!outcome.retryable || timers.now() + pause >= deadline) throw outcome.error;
      await timers.sleep(pause, call.signal);
    }
  };
}
