import type { ClientStorage } from './storage.ts';
import type { BootstrapReply } from './survey.ts';
import { LONGEST_TIMER_MS, ONCE, TIMEOUT_MS } from './times.ts';

export interface Reply {
  /** The HTTP status; 0 if no reply arrived. */
  readonly status: number;
  readonly data: Partial<BootstrapReply> & {
    readonly ok?: boolean;
    readonly error?: {
      readonly code?: string;
      readonly details?: {
        readonly revision?: number;
        readonly kind?: string;
        readonly at?: string;
        readonly by?: string;
      };
    };
  };
  /** Milliseconds until a submission's next attempt; 0 if another attempt is useless. */
  readonly retryMs?: number;
  /** The error of the network, of parsing, or of the page's token function. */
  readonly cause?: { readonly code?: unknown } | null | undefined;
}

/**
 * @param tries attempts so far; `ONCE` disables retries
 * @param ends signals that end the request
 */
export type Post = (path: string, body: object, tries?: number, ...ends: AbortSignal[]) => Promise<Reply>;

/**
 * Sends JSON as `text/plain`, which needs no preflight (docs/contract.md §4.1). Never rejects.
 *
 * These replies are final: `ok`, a 4xx with a code (except 429), and the gateway's 413. Other replies may come from a
 * proxy or firewall. They are retried after `retry-after`, or else after 1 s doubling to 512 s, times a random factor
 * up to two. A 429 holds back every call, in this tab and on the next page.
 */
export function createPost(base: string, { read, update }: ClientStorage): Post {
  return async (path, body, tries = 0, ...ends) => {
    let status = 429;
    let data: Reply['data'] = {};
    let cause: ReturnType<typeof JSON.parse>;
    let retryMs = read().wait - Date.now();
    if (retryMs > 0 && retryMs < LONGEST_TIMER_MS) return { status, data, retryMs };
    try {
      status = retryMs = 0;
      const reply = await fetch(base.replace(/(\/v1)?\/*$/, '') + path, {
        method: 'POST',
        body: JSON.stringify(body),
        keepalive: true,
        credentials: 'omit',
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...ends]),
      });
      status = reply.status;
      retryMs = +(reply.headers.get('retry-after') ?? 0) * 1_000;
      data = Object(await reply.json());
    } catch (thrown) {
      cause = thrown;
    }
    const isFinal = status < 300 ? data.ok : status !== 429 && status < 500 && data.error?.code;
    if (isFinal || status === 413) retryMs = 0;
    else retryMs = Math.max(retryMs, 0) || 2 ** Math.min(tries, 9) * 1_000 * (1 + Math.random());
    if (status === 429 && tries !== ONCE) update({ wait: Date.now() + retryMs });
    return { status, data, retryMs, cause };
  };
}
