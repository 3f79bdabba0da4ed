/** One call of the service: attempts with full jitter between them, all inside a deadline. */

import type { Endpoint, Fields, Send } from '../../shared/contract/clients/send.ts';
import { limitOf, limitTime, retryAfterMs, type Timers } from '../../shared/delivery/timing.ts';
import { CanvassError } from './canvass-error.ts';
import { type Asked, errorOfReply, errorOfSilence } from './failed-call.ts';
import type { KeySource } from './key-source.ts';
import { USER_AGENT } from './user-agent.ts';

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;

/** Milliseconds for one call: with all its retries, and for one attempt. */
interface Limits {
  readonly deadlineMs: number;
  readonly attemptTimeoutMs: number;
}

type SomeLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined };

/** Limits where nobody says others. */
const USUAL: Limits = { deadlineMs: 30_000, attemptTimeoutMs: 10_000 };
/** An export or an erasure may take as long as the gateway lets it, 30 s. */
const LONG: Limits = { deadlineMs: 90_000, attemptTimeoutMs: 35_000 };

export interface TransportOptions extends SomeLimits {
  /** Address of the service, without a slash at its end. */
  readonly base: string;
  readonly secretKey: KeySource;
  readonly fetch: typeof fetch;
  readonly timers: Timers;
}

/** What holds for one call alone. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for this call with its retries, in place of the client's. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds for one attempt of this call, in place of the client's. */
  readonly attemptTimeoutMs?: number | undefined;
}

/** What the whole seconds of a `Date` header, and the service's own clocks, may be apart. */
const CLOCK_SLACK_MS = 2_000;

/**
 * What the call stored, where an attempt before this one did so and its reply was lost. An answer from before the call
 * is another's.
 * @param began when the call began, by the service's clock
 */
function storedBefore(
  { storedOnce }: Endpoint,
  { code, details }: CanvassError,
  began: number,
): object | undefined {
  if (code !== 'token_used' || storedOnce === undefined || details.kind !== storedOnce) return undefined;
  const isOwn = Date.parse(String(details.at)) >= began - CLOCK_SLACK_MS;
  return isOwn ? { ok: true, id: details.id, at: details.at } : undefined;
}

interface Prepared extends Asked {
  readonly replyField: string;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

type Attempt<Reply> =
  | { readonly reply: Reply }
  | {
      readonly error: CanvassError;
      readonly retryable: boolean;
      readonly retryAfter?: number | undefined;
      /** The reply's `Date`, in milliseconds; not a number where it has none. */
      readonly date?: number;
    };

const limitOrNone = (name: string, given: number | null | undefined): number | undefined =>
  given === undefined || given === null ? undefined : limitOf(name, given);

/** Both limits, where they are given. @throws TypeError when one is not above 0 */
function checkLimits({ deadlineMs, attemptTimeoutMs }: SomeLimits): SomeLimits {
  return {
    deadlineMs: limitOrNone('deadlineMs', deadlineMs),
    attemptTimeoutMs: limitOrNone('attemptTimeoutMs', attemptTimeoutMs),
  };
}

/** Parts of a query that choose a page, and narrow nothing. */
const PAGING: ReadonlySet<string> = new Set(['limit', 'cursor']);

/** A date would be sent in words and a list as one text, so that a filter meant something else. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string') throw new TypeError(`${name} must be text, a whole number or a boolean`);
  // Half of a surrogate pair: a URL would name somebody else.
  if (/\p{Surrogate}/u.test(value)) throw new TypeError(`${name} must be whole characters`);
  return value;
}

/** @param base address of the service, without a slash at its end. @throws TypeError naming the parameter */
function requestUrl(base: string, { path, hasFilters = false }: Endpoint, query?: object | null): URL {
  if (hasFilters && query === null)
    throw new TypeError('the filters are null: leave them out to do without any');
  const url = new URL(base + path);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) url.searchParams.set(name, textOf(name, value));
    else if (hasFilters && !PAGING.has(name)) {
      throw new TypeError(`${name} is ${value}: give it a value, or leave it out to do without it`);
    }
  }
  return url;
}

function readReply<Reply>(request: Prepared, response: Response, body: string): Attempt<Reply> {
  try {
    const reply = JSON.parse(body);
    if ((reply[request.replyField] ?? undefined) !== undefined) return { reply };
  } catch {
    // Told as any other reply that is not the service's.
  }
  return { error: errorOfReply(request, response, ''), retryable: false };
}

export function createTransport(options: TransportOptions): Send<CallOptions> {
  const { base, secretKey, timers } = options;
  const given = checkLimits(options);

  async function attempt<Reply>(request: Prepared, key: string, timeoutMs: number): Promise<Attempt<Reply>> {
    const { method, url, body, signal } = request;
    const limit = limitTime(timeoutMs, signal);
    try {
      const response = await options.fetch(url.href, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          'user-agent': USER_AGENT,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        // Elsewhere the key is none of anybody's business.
        redirect: 'manual',
        signal: limit.signal,
      });
      const text = await response.text();
      if (response.ok) return readReply(request, response, text);
      const retryAfter = retryAfterMs(response.headers.get('retry-after'), timers.now());
      const seconds = retryAfter === undefined ? undefined : retryAfter / 1_000;
      return {
        error: errorOfReply(request, response, text, seconds),
        retryable: response.status === 429 || response.status >= 500,
        retryAfter,
        date: Date.parse(response.headers.get('date') ?? ''),
      };
    } catch (cause) {
      signal?.throwIfAborted();
      return { error: errorOfSilence(request, limit.expired(), cause), retryable: true };
    } finally {
      limit.release();
    }
  }

  /** A key that is read while the time of a call goes on. */
  async function inTime(read: Promise<string>, deadline: number, signal?: AbortSignal): Promise<string> {
    const limit = limitTime(Math.max(1, deadline - timers.now()), signal);
    const late = new Promise<never>((_, reject) => {
      limit.signal.addEventListener('abort', () => {
        if (!limit.expired()) reject(signal?.reason);
        else reject(new CanvassError('the secret key was not read in time', { status: 0, code: 'timeout' }));
      });
    });
    return Promise.race([read, late]).finally(limit.release);
  }

  return async <Reply>(endpoint: Endpoint, { query, body }: Fields, call?: CallOptions) => {
    const usual = endpoint.isLong === true ? LONG : USUAL;
    const own = checkLimits(call ?? {});
    const began = timers.now();
    const deadline = began + (own.deadlineMs ?? given.deadlineMs ?? usual.deadlineMs);
    const longest = own.attemptTimeoutMs ?? given.attemptTimeoutMs ?? usual.attemptTimeoutMs;
    // What is wrong with them is the caller's mistake; no attempt could mend it.
    const request: Prepared = {
      method: endpoint.method,
      replyField: endpoint.replyField,
      url: requestUrl(base, endpoint, query),
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: call?.signal,
    };
    let isReplyLost = false;
    call?.signal?.throwIfAborted();
    const readNow = secretKey.read();
    let key = typeof readNow === 'string' ? readNow : await inTime(readNow, deadline, call?.signal);
    let isKeyNew = false;
    for (let backoff = FIRST_BACKOFF_MS; ; backoff = Math.min(LONGEST_BACKOFF_MS, backoff * 2)) {
      call?.signal?.throwIfAborted();
      const timeoutMs = Math.min(longest, deadline - timers.now());
      const outcome = await attempt<Reply>(request, key, Math.max(1, timeoutMs));
      if ('reply' in outcome) return outcome.reply;
      if (outcome.error.status === 401 && !isKeyNew) {
        isKeyNew = true;
        const again = secretKey.readAgain(key);
        const other = typeof again === 'string' ? again : await inTime(again, deadline, call?.signal);
        if (other !== key) {
          key = other;
          continue;
        }
      }
      // The service's clock judges its own times; where no `Date` says it, this machine's stands in.
      const ahead = (outcome.date || timers.now()) - timers.now();
      const stored = isReplyLost ? storedBefore(endpoint, outcome.error, began + ahead) : undefined;
      if (stored !== undefined) return stored as Reply;
      isReplyLost ||= outcome.error.status === 0 || outcome.error.status >= 500;
      const pause = (outcome.retryAfter ?? 0) + timers.random() * backoff;
      if (!outcome.retryable || timers.now() + pause >= deadline) throw outcome.error;
      await timers.sleep(pause, call?.signal);
    }
  };
}
