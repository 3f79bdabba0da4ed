import type { Emitter } from './events.ts';
import { LONGEST_TIMER_MS, type Post } from './post.ts';
import type { ClientStorage, KeptSubmission, Submission } from './storage.ts';
import { LEASE_MS, LONGEST_MS, OUTBOX_LIMIT } from './times.ts';

/** The client, as far as its outbox needs it. */
interface Sender {
  readonly storage: ClientStorage;
  readonly post: Post;
  readonly emit: Emitter['emit'];
  /** Ends with the client. */
  readonly signal: AbortSignal;
}

export interface Outbox {
  /**
   * Keeps a submission, in place of an earlier one with the same token.
   * @param holdMs before it is sent
   * @param again only in place of an earlier one: if that has been sent, this is not
   */
  readonly put: (submission: Submission, holdMs: number, again: boolean) => void;
  /** Sends what is due; resolves when nothing is under way any more. */
  readonly flush: () => Promise<void>;
}

/** What a session-bound token may attest besides the session, and an answer must then bring. */
const ATTESTED = ['traceId', 'observationId'];

/**
 * Delivers answers at least once: each is stored before it is sent and forgotten once the service has taken or refused
 * it, over page loads. The show-token makes that exactly once at the service, so `token_used` counts as delivered: 409
 * for an answer, 401 for a dismissal.
 *
 * What can never be delivered is told as `error`. The client's end ends all planning; what is under way goes on, and what
 * is kept is sent by another page.
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
      // What is to be sent now is never kept as due, not for an instant: another tab would see that and send it as well.
      void flush(holdMs ? keep(submission, 0, holdMs) : [submission]);
    },
    flush,
  };
}
