import type { ClientStorage } from './storage.ts';
import type { BootstrapReply } from './survey.ts';

export interface Reply {
  /** HTTP status; 0 when no reply came. */
  readonly status: number;
  /** What a reply's body may hold, read leniently. */
  readonly data: Partial<BootstrapReply> & {
    readonly ok?: boolean;
    readonly error?: { readonly code?: string; readonly details?: { readonly revision?: number } };
  };
  /** Of a submission: milliseconds to wait before another try; 0 when another try is of no use. */
  readonly retryMs?: number;
  /** What was thrown, where no reply came or none that could be read; also by the page's own token function. */
  readonly cause?: unknown;
}

/** @param tries how often this was tried before; `ONCE` for what is not tried again */
export type Post = (path: string, body: object, tries?: number) => Promise<Reply>;

/** Of a report that nothing waits for: a 429 to it is no reason to hold back an answer. */
export const ONCE = -1;

/** About what a timer can wait; a longer wait is none. */
export const LONGEST_TIMER_MS = 2_000_000_000;

/**
 * POSTs JSON as a simple request: a string body goes out as `text/plain`, which needs no preflight and which the
 * service reads the same (docs/contract.md §4.1). Never rejects.
 *
 * The service's own word settles a submission: `ok`, or a 4xx with a code, but for 429; and a 413, which its gateway
 * shapes (docs/contract.md §4.1). All else may be tried again, with whatever status it came: no reply, 5xx, 429, and
 * what a network's sign-in page, a proxy or a firewall says in place of the service. That is after `retry-after`
 * seconds where the reply says so (a gateway's own 429 does not), else after a pause that doubles with each try, from a
 * second to 512, and up to twice that by chance. A 429 holds back everything: until it is over, calls are answered
 * here, in this tab and on the next page; but not for weeks, which only a clock that was put right can mean.
 */
export function createPost(base: string, { read, update }: ClientStorage): Post {
  return async (path, body, tries = 0) => {
    let status = 429;
    let data: Reply['data'] = {};
    let cause: unknown;
    let retryMs = read().wait - Date.now();
    if (retryMs > 0 && retryMs < LONGEST_TIMER_MS) return { status, data, retryMs };
    try {
      status = retryMs = 0;
      const reply = await fetch(base.replace(/\/$/, '') + path, {
        method: 'POST',
        body: JSON.stringify(body),
        keepalive: true,
        credentials: 'omit',
      });
      status = reply.status;
      retryMs = Number(reply.headers.get('retry-after')) * 1_000;
      data = Object(await reply.json());
    } catch (thrown) {
      // Lost or not JSON; the status tells which.
      cause = thrown;
    }
    const settled = status < 300 ? data.ok : status < 500 && status !== 429 && data.error?.code;
    if (settled || status === 413) retryMs = 0;
    else if (!(retryMs > 0)) retryMs = 1_000 * 2 ** Math.min(tries, 9) * (1 + Math.random());
    if (status === 429 && tries !== ONCE) update({ wait: Date.now() + retryMs });
    return { status, data, retryMs, cause };
  };
}
