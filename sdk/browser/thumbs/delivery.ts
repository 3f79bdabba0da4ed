import type { Kit } from '../client/kit.ts';
import type { Client, Heard } from '../client/modules.ts';
import type { Reply } from '../client/post.ts';
import type { KeptRating } from '../client/storage.ts';
import { LONGEST_MS, NEWEST_MS } from '../client/times.ts';
import { type Ratings, said } from './ratings.ts';

type Sent = Pick<KeptRating, 'rating' | 'text' | 'reasons' | 'answers'> & {
  readonly showToken: string;
  readonly revision?: number;
};

/**
 * Sends one request per message at a time: first a response, then revisions. A lost reply leads to the same revision
 * again. A change from another device wins over a late choice.
 *
 * @returns delivers a message's rating unless the service has it
 */
export function createDelivery(
  client: Client,
  createOutbox: Kit['createOutbox'],
  ratings: Ratings,
  tell: (...given: Parameters<Heard>) => void,
): (rating: Pick<KeptRating, 'mark' | 'binding'>) => void {
  const { options, person } = client;
  const underWay = new Set<string>();

  /**
   * @param sent may come from an earlier page, so it is compared with the stored rating
   * @returns the outbox's reply: a final status ends the request
   */
  const settle = (sent: Sent, reply: Reply): Reply => {
    const now = ratings.ofToken(sent.showToken);
    if (!now) return reply;
    const isChanged = said(now) !== said(sent);
    if (reply.retryMs) {
      if (isChanged) setTimeout(() => deliver(now));
      else if (Date.now() - now.at >= LONGEST_MS) ratings.forget(now);
      return reply;
    }
    const { status, data } = reply;
    const { code, details } = data.error ?? {};
    const next = (known: number, open: boolean): Reply => {
      ratings.keep({ ...now, known, open });
      // Lets the outbox finish first.
      if (open) setTimeout(() => deliver(now));
      return { ...reply, status: 200 };
    };
    if (status < 300) return next(sent.revision ?? 0, isChanged);
    // Another person used the token, or a reply was lost, so the choice may differ.
    if (code === 'token_used' && !sent.revision) return next(0, true);
    // The rating never reached the service.
    if (code === 'response_not_found' && sent.rating === undefined) {
      if (isChanged) return next(-1, true);
      ratings.forget(now);
      return { ...reply, status: 200 };
    }
    if (code === 'revision_conflict' && details?.revision) {
      if (Date.now() - now.at < NEWEST_MS) return next(details.revision, true);
      const { mark, binding, at } = now;
      ratings.keep({ mark, binding, at, known: details.revision, open: false });
    } else ratings.forget(now);
    return reply;
  };

  const outbox = createOutbox({
    ...client,
    lost: tell,
    async post(path, body, tries) {
      const sent: Sent = { showToken: '', ...body };
      underWay.add(sent.showToken);
      const reply = settle(sent, await client.post(path, body, tries));
      underWay.delete(sent.showToken);
      tell(sent.showToken, undefined, reply);
      return reply;
    },
  });

  const deliver = ({ mark, binding }: Pick<KeptRating, 'mark' | 'binding'>): void => {
    const kept = ratings.find(mark, binding);
    if (!kept?.open || underWay.has(binding.showToken)) return;
    const { slug: _, ...attested } = kept.binding;
    const { known, rating, text, reasons, answers } = kept;
    const isFirst = known < 0 && rating !== undefined;
    const change = rating === undefined ? { withdraw: true } : { rating, text, reasons, answers };
    const more = isFirst
      ? { userId: person.id(), identityKind: person.name ? 'identified' : undefined }
      : { revision: Math.max(known, 0) + 1 };
    const body = { key: options.key, ...attested, ...change, ...more };
    const path = isFirst ? '/v1/sdk/responses' : '/v1/sdk/revisions';
    outbox.put({ token: binding.showToken, mark, path, body }, 0);
  };

  return deliver;
}
