import type { Emitter } from './events.ts';
import { LONGEST_TIMER_MS, type Post } from './post.ts';
import type { ClientStorage, KeptSubmission, Submission } from './storage.ts';
import { LEASE_MS, LONGEST_MS, OUTBOX_LIMIT } from './times.ts';

interface Sender {
  readonly storage: ClientStorage;
  readonly post: Post;
  readonly emit: Emitter['emit'];
  readonly signal: AbortSignal;
}

export interface Outbox {
  /** @param again only replaces: does nothing if the earlier submission has been sent */
  readonly put: (submission: Submission, holdMs: number, again: boolean) => void;
  readonly flush: () => Promise<void>;
}

/** If the token attests these, an answer must also contain them. */
const ATTESTED = ['traceId', 'observationId'];

/**
 * Delivers at least once, over page loads. The show-token makes that exactly once, so `token_used` counts as delivered
 * (409 for an answer, 401 for a dismissal). After the client's end, another page sends the rest.
 */
export function createOutbox({ storage: { read, update }, post, emit, signal }: Sender): Outbox {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<unknown> | undefined;

  const without = (token: string) => read().outbox.filter((kept) => kept.token !== token);
  const keep = (submission: Submission, tries: number, ms: number): undefined => {
    const kept = { until: Date.now() + LONGEST_MS, ...submission, tries, at: Date.now() + ms };
    update({ outbox: [...without(submission.token), kept].slice(-OUTBOX_LIMIT) });
  };
  const send = async (kept: Submission & Partial<KeptSubmission>): Promise<void> => {
    const { path, body, tries = 0, until = Number.POSITIVE_INFINITY } = kept;
    keep(kept, tries + 1, LEASE_MS);
    const reply = await post(path, body, tries);
    if (reply.retryMs && Date.now() < until) return keep(kept, tries + 1, reply.retryMs);
    update({ outbox: without(kept.token), seen: { ...read().seen, [kept.mark]: Date.now() } });
    const code = reply.data.error?.code;
    if ((!reply.retryMs && reply.status < 300) || code === 'token_used') return;
    const missing = code === 'token_mismatch' ? ATTESTED.filter((name) => !body[name]) : undefined;
    emit('error', { status: reply.status, code, missing, cause: reply.cause });
  };

  const flush = async (
    due: Submission[] = read().outbox.filter(({ at }) => at <= Date.now()),
  ): Promise<void> => {
    underWay = Promise.all([underWay, ...due.map(send)]);
    await underWay;
    clearTimeout(timer);
    const next = Math.min(...read().outbox.map(({ at }) => at)) - Date.now();
    if (next < LONGEST_TIMER_MS && !signal.aborted) timer = setTimeout(flush, next);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));

  return {
    put(submission, holdMs, again) {
      if (again && without(submission.token).length === read().outbox.length) return;
      // Another tab would also send a due submission.
      void flush(holdMs ? keep(submission, 0, holdMs) : [submission]);
    },
    flush,
  };
}
