/** One call of the service: attempts with full jitter between them, all inside a deadline. */

import type { CanvassError } from '../canvass-error.ts';
import type { Asked } from './asked.ts';
import { errorOfReply } from './error-reply.ts';
import { checkLimits, type Limits, type SomeLimits } from './limits.ts';
import { errorOfSilence } from './no-reply.ts';
import { type Query, requestUrl } from './request-url.ts';
import { retryAfterMs } from './retry-after.ts';
import { limitTime } from './time-limit.ts';
import type { Timers } from './timers.ts';

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;

/** Limits where nobody says others. */
const USUAL: Limits = { deadlineMs: 30_000, attemptTimeoutMs: 10_000 };
/** An export or an erasure may take as long as the gateway lets it, 30 s. */
const LONG: Limits = { deadlineMs: 90_000, attemptTimeoutMs: 35_000 };

export interface TransportOptions extends SomeLimits {
  /** Address of the service, without a slash at its end. */
  readonly base: string;
  readonly secretKey: string;
  readonly fetch: typeof fetch;
  readonly timers: Timers;
}

export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for this call with its retries, in place of the client's. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds for one attempt of this call, in place of the client's. */
  readonly attemptTimeoutMs?: number | undefined;
}

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** A field that every reply of it has. */
  readonly replyField: string;
  /** Whether it may take as long as the gateway lets it. */
  readonly isLong?: boolean;
}

export interface Fields {
  readonly query?: Query;
  readonly body?: object;
}

/**
 * Sends a call and resolves to its reply's JSON, an object with the endpoint's field; that the rest is as the contract
 * says is taken on trust.
 */
export type Transport = <Reply>(endpoint: Endpoint, fields: Fields, options?: CallOptions) => Promise<Reply>;

interface Prepared extends Asked {
  readonly replyField: string;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

type Attempt<Reply> =
  | { readonly reply: Reply }
  | { readonly error: CanvassError; readonly retryable: boolean; readonly retryAfter?: number | undefined };

function readReply<Reply>(request: Prepared, response: Response, body: string): Attempt<Reply> {
  try {
    const reply = JSON.parse(body);
    if ((reply[request.replyField] ?? undefined) !== undefined) return { reply };
  } catch {
    // Told as any other reply that is not the service's.
  }
  return { error: errorOfReply(request, response, ''), retryable: false };
}

export function createTransport(options: TransportOptions): Transport {
  const { base, secretKey, timers } = options;
  const given = checkLimits(options);

  async function attempt<Reply>(request: Prepared, timeoutMs: number): Promise<Attempt<Reply>> {
    const { method, url, body, signal } = request;
    const limit = limitTime(timeoutMs, signal);
    try {
      const response = await options.fetch(url.href, {
        method,
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        // Elsewhere the key is none of anybody's business.
        redirect: 'manual',
        signal: limit.signal,
      });
      const text = await response.text();
      if (response.ok) return readReply(request, response, text);
      return {
        error: errorOfReply(request, response, text),
        retryable: response.status === 429 || response.status >= 500,
        retryAfter: retryAfterMs(response.headers.get('retry-after'), timers.now()),
      };
    } catch (cause) {
      signal?.throwIfAborted();
      return { error: errorOfSilence(request, limit.expired(), cause), retryable: true };
    } finally {
      limit.release();
    }
  }

  return async <Reply>(endpoint: Endpoint, { query, body }: Fields, call?: CallOptions) => {
    const usual = endpoint.isLong === true ? LONG : USUAL;
    const own = checkLimits(call ?? {});
    const deadline = timers.now() + (own.deadlineMs ?? given.deadlineMs ?? usual.deadlineMs);
    const longest = own.attemptTimeoutMs ?? given.attemptTimeoutMs ?? usual.attemptTimeoutMs;
    // What is wrong with them is the caller's mistake; no attempt could mend it.
    const request: Prepared = {
      method: endpoint.method,
      replyField: endpoint.replyField,
      url: requestUrl(base, endpoint.path, query),
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: call?.signal,
    };
    for (let backoff = FIRST_BACKOFF_MS; ; backoff = Math.min(LONGEST_BACKOFF_MS, backoff * 2)) {
      call?.signal?.throwIfAborted();
      const timeoutMs = Math.min(longest, deadline - timers.now());
      const outcome = await attempt<Reply>(request, Math.max(1, timeoutMs));
      if ('reply' in outcome) return outcome.reply;
      const pause = (outcome.retryAfter ?? 0) + timers.random() * backoff;
      if (!outcome.retryable || timers.now() + pause >= deadline) throw outcome.error;
      await timers.sleep(pause, call?.signal);
    }
  };
}
