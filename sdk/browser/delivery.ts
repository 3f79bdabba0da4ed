import type { BootstrapReply } from './wire.ts';

/** An answer or dismissal on its way. */
interface Parcel {
  /** The show-token: single-use, so it names the answer. */
  readonly token: string;
  readonly path: string;
  readonly body: object;
  /** Not to be sent before this moment, milliseconds since the epoch. */
  readonly at: number;
  readonly tries: number;
}

/** What outlives a page load. */
interface State {
  readonly device?: string;
  /** Sticky hashes of respondent and survey that were answered or dismissed here. */
  readonly seen: readonly number[];
  readonly outbox: readonly Parcel[];
  /** The service asked not to be called before this moment, milliseconds since the epoch. */
  readonly wait: number;
}

export interface Reply {
  /** HTTP status; 0 when no reply came. */
  readonly status: number;
  /** What a reply's body may hold, read leniently. */
  readonly data: Partial<BootstrapReply> & { readonly error?: { readonly code?: string } };
  /** Milliseconds to wait before another try; 0 when another try is of no use. */
  readonly retryMs: number;
}

export interface Delivery {
  readonly read: () => State;
  /** @returns the state after the change */
  readonly update: (change: Partial<State>) => State;
  /**
   * POSTs JSON as a simple request: a string body goes out as `text/plain`, which needs no preflight and which the
   * service reads the same (docs/contract.md §3.1). Never rejects.
   *
   * No reply, 5xx and 429 may be tried again: after `retry-after` seconds where the reply says so (a gateway's own 429
   * does not), else after a pause that doubles with each try, from a second to 512, and up to twice that by chance. A 429
   * holds back everything: until it is over, calls are answered here, in this tab and on the next page; but not for
   * weeks, which only a clock that was put right can mean.
   *
   * @param tries how often this was tried before
   */
  readonly post: (path: string, body: object, tries: number) => Promise<Reply>;
  /**
   * Keeps an answer, in place of an earlier one with the same token.
   * @param holdMs before it is sent
   * @param again only in place of an earlier one: if that has been sent, this is not
   */
  readonly put: (token: string, path: string, body: object, holdMs: number, again: boolean) => void;
  /** Sends what is due; resolves when nothing is under way any more. */
  readonly flush: () => Promise<void>;
}

/** How many answers are kept for later; the oldest gives way. */
const OUTBOX_LIMIT = 20;
/** While a request is under way no other tab or page load sends the same parcel, milliseconds. */
const LEASE_MS = 30_000;
/** About what a timer can wait; a longer wait is none. */
const LONGEST_TIMER_MS = 2_000_000_000;

/**
 * Delivers answers at least once: each is stored before it is sent and forgotten once the service has taken or refused
 * it, over page loads. The show-token makes that exactly once at the service, so `token_used` counts as delivered: 409
 * for an answer, 401 for a dismissal.
 *
 * State is in `localStorage`, shared by the tabs of an origin. Where storage is blocked, full or not wanted, it is in
 * memory, for as long as the page lives; where it holds something of another shape, that gives way.
 *
 * @param refused told about what can never be delivered
 * @param signal ends all planning; what is under way goes on, and what is kept is sent by another page
 */
export function createDelivery(
  name: string,
  persistent: boolean,
  base: string,
  refused: (reply: Reply) => void,
  signal: AbortSignal,
): Delivery {
  let state: State = { seen: [], outbox: [], wait: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<unknown> | undefined;

  const read = (): State => {
    try {
      const kept: State = { ...state, ...(persistent && JSON.parse(localStorage[name] ?? null)) };
      if (kept.outbox.every(({ at }) => at) && Array.isArray(kept.seen)) state = kept;
    } catch {
      // Blocked, or of another shape: then the next update puts it right.
    }
    return state;
  };
  const update = (change: Partial<State>): State => {
    state = { ...read(), ...change };
    try {
      if (persistent) localStorage[name] = JSON.stringify(state);
    } catch {
      persistent = false;
    }
    return state;
  };

  const post: Delivery['post'] = async (path, body, tries) => {
    let status = 429;
    let data: Reply['data'] = {};
    let retryMs = read().wait - Date.now();
    if (!(retryMs > 0 && retryMs < LONGEST_TIMER_MS)) {
      try {
        status = retryMs = 0;
        const reply = await fetch(base.replace(/\/$/, '') + path, {
          method: 'POST',
          body: JSON.stringify(body),
          keepalive: true,
          credentials: 'omit',
        });
        status = reply.status;
        retryMs = (reply.headers.get('retry-after') as unknown as number) * 1_000;
        data = Object(await reply.json());
      } catch {
        // Lost or not JSON; the status tells which.
      }
      // Neither none nor 429.
      if (status % 429 && status < 500) retryMs = 0;
      else retryMs ||= 1_000 * 2 ** Math.min(tries, 9) * (1 + Math.random());
      if (status === 429) update({ wait: Date.now() + retryMs });
    }
    return { status, data, retryMs };
  };

  const keep = (token: string, ...parcel: Parcel[]): unknown =>
    update({
      outbox: [...read().outbox.filter((other) => other.token !== token), ...parcel].slice(-OUTBOX_LIMIT),
    });

  const send = async ({ tries, ...parcel }: Parcel): Promise<unknown> => {
    const again = (ms: number) => keep(parcel.token, { ...parcel, tries: tries + 1, at: Date.now() + ms });
    again(LEASE_MS);
    const reply = await post(parcel.path, parcel.body, tries);
    if (reply.retryMs) return again(reply.retryMs);
    keep(parcel.token);
    if (reply.status > 299 && reply.data.error?.code !== 'token_used') refused(reply);
  };

  const flush = async (): Promise<void> => {
    if (signal.aborted) return;
    underWay = Promise.all([
      underWay,
      ...read()
        .outbox.filter(({ at }) => at <= Date.now())
        .map(send),
    ]);
    await underWay;
    clearTimeout(timer);
    const next = Math.min(...read().outbox.map(({ at }) => at)) - Date.now();
    if (next < LONGEST_TIMER_MS) timer = setTimeout(flush, next);
  };

  return {
    read,
    update,
    post,
    put(token, path, body, holdMs, again) {
      if (again && read().outbox.every((parcel) => parcel.token !== token)) return;
      keep(token, { token, path, body, tries: 0, at: Date.now() + holdMs });
      void flush();
    },
    flush,
  };
}
