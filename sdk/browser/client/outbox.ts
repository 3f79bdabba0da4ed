import type { Post, Reply } from './post.ts';
import type { ClientStorage, KeptSubmission, Submission } from './storage.ts';
import { LEASE_MS, LONGEST_MS, LONGEST_TIMER_MS, OUTBOX_LIMIT } from './times.ts';

export interface Outbox {
  /** If the earlier draft of a submission has been sent, only `answers` are sent again, as a revision (refused.ts). */
  readonly put: (submission: Submission, holdMs: number) => void;
  readonly flush: () => Promise<void>;
}

export type Send = (submission: Submission) => Promise<void>;

/** The outbox's part of `Mail`, which this file cannot import, because its module imports this one. */
interface Sender<Mail> {
  readonly signal: AbortSignal;
  readonly storage: ClientStorage;
  readonly post: Post;
  readonly load: (name: 'refused') => Promise<{
    mount(mail: Mail, kept: Submission, reply: Reply, send: Send): Promise<boolean>;
  }>;
}

/**
 * Delivers at least once, over page loads. The show-token makes that exactly once, so `token_used` counts as delivered
 * (409 for an answer, 401 for a dismissal). After the client's end, another page sends the rest.
 */
export function createOutbox<Mail extends Sender<Mail>>(mail: Mail): Outbox {
  const { signal } = mail;
  const { read, update } = mail.storage;
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
    const reply = await mail.post(path, body, tries);
    if (reply.retryMs && Date.now() < until) return keep(kept, tries + 1, reply.retryMs);
    const isFault = reply.retryMs || reply.status > 299;
    if (isFault && (await (await mail.load('refused')).mount(mail, kept, reply, send))) return;
    update({
      outbox: without(kept.token),
      seen: { ...read().seen, [kept.mark]: Date.now(), [`@${body.userId}`]: Date.now() },
    });
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

  const put: Outbox['put'] = (submission, holdMs) => {
    if (submission.again && without(submission.token).length === read().outbox.length) return;
    // Another tab would also send a due submission.
    void flush(holdMs ? keep(submission, 0, holdMs) : [submission]);
  };
  return { put, flush };
}
