/** Attempts with full jitter within a deadline. */

import type { Endpoint, Fields, Send } from '../../shared/contract/clients/send.ts';
import { limitOf, limitTime, retryAfterMs, type Timers } from '../../shared/delivery/timing.ts';
import type { KeySource } from './address-and-key.ts';
import { CanvassError } from './canvass-error.ts';
import { type Asked, errorOfReply, errorOfSilence } from './failed-call.ts';

declare const CANVASS_VERSION: string;

const USER_AGENT = `canvass-server-js/${typeof CANVASS_VERSION === 'string' ? CANVASS_VERSION : 'source'}`;

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 10_000;

/** For a call with its retries, and for an attempt. */
interface Limits {
  readonly deadlineMs: number;
  readonly attemptTimeoutMs: number;
}

type SomeLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined };

const USUAL: Limits = { deadlineMs: 30_000, attemptTimeoutMs: 10_000 };
/** Exports and erasures: the gateway allows 30 s. */
const LONG: Limits = { deadlineMs: 90_000, attemptTimeoutMs: 35_000 };

export interface TransportOptions extends SomeLimits {
  readonly base: string;
  readonly secretKey: KeySource;
  readonly fetch: typeof fetch;
  readonly timers: Timers;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for this call with its retries. Overrides the client's. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds for one attempt of this call. Overrides the client's. */
  readonly attemptTimeoutMs?: number | undefined;
}

/** `Date` headers have whole seconds, and clocks differ. */
const CLOCK_SLACK_MS = 2_000;

/** An answer from before the call, or with another token, is another's. @param began by the service's clock */
function storedBefore(
  { storedOnce }: Endpoint,
  { code, details }: CanvassError,
  began: number,
): object | undefined {
  if (code !== 'token_used' || storedOnce === undefined || details.kind !== storedOnce) return undefined;
  const isOwn = details.by === undefined && Date.parse(String(details.at)) >= began - CLOCK_SLACK_MS;
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
      /** Milliseconds; NaN without `Date`. */
      readonly date?: number;
    };

const limitOrNone = (name: string, given: number | null | undefined): number | undefined =>
  given === undefined || given === null ? undefined : limitOf(name, given);

/** @throws TypeError unless above 0 */
function checkLimits({ deadlineMs, attemptTimeoutMs }: SomeLimits): SomeLimits {
  return {
    deadlineMs: limitOrNone('deadlineMs', deadlineMs),
    attemptTimeoutMs: limitOrNone('attemptTimeoutMs', attemptTimeoutMs),
  };
}

/** Other values would make everybody the same person. @throws TypeError */
function checkId(fields: object | null | undefined): void {
  if (!fields || !('respondentId' in fields)) return;
  const { respondentId: id } = fields;
  if (typeof id === 'string' && id.trim() !== '') return;
  throw new TypeError('respondentId must be text that names one person');
}

const PAGING: ReadonlySet<string> = new Set(['limit', 'cursor']);

/** A date or a list would become a wrong filter. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string') throw new TypeError(`${name} must be text, a whole number or a boolean`);
  // Half a surrogate pair would name someone else.
  if (/\p{Surrogate}/u.test(value)) throw new TypeError(`${name} must not contain half of a surrogate pair`);
  return value;
}

/** @throws TypeError that names the parameter */
function requestUrl(base: string, { path, hasFilters = false }: Endpoint, query?: object | null): URL {
  if (hasFilters && query === null) throw new TypeError('the filters are null: omit them to use none');
  const url = new URL(base + path);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) url.searchParams.set(name, textOf(name, value));
    else if (hasFilters && !PAGING.has(name)) {
      throw new TypeError(`${name} is ${value}: set a value, or omit it`);
    }
  }
  return url;
}

function readReply<Reply>(request: Prepared, response: Response, body: string): Attempt<Reply> {
  try {
    const reply = JSON.parse(body);
    if ((reply[request.replyField] ?? undefined) !== undefined) return { reply };
  } catch {
    // It is not from the service, as the error below reports.
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
        // The key must not reach another address.
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

  /** Reading the key takes from the call's time. */
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
    // Invalid arguments fail here, because retrying cannot help.
    checkId(body);
    checkId(query);
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
      // The service's `Date` judges its times; without one, the local clock.
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
