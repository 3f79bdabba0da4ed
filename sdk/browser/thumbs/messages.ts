import type { Kit } from '../kit.ts';
import type { Client } from '../parts.ts';
import type { Survey } from '../wire.ts';
import { createDelivery } from './delivery.ts';
import type { Messages } from './message.ts';
import { createRatings } from './ratings.ts';

const ofPage = new WeakMap<Client, Messages>();

/** All that is bound by one client has its messages in common. */
export function messagesOf(client: Client, { createOutbox }: Pick<Kit, 'createOutbox'>): Messages {
  const existing = ofPage.get(client);
  if (existing) return existing;
  const { storage, signal, offers, emit, person } = client;
  const hearers = new Set<(showToken?: string) => boolean>();
  const tell = (showToken?: string) => {
    for (const hear of hearers) if (!hear(showToken)) hearers.delete(hear);
  };
  const ratings = createRatings(storage, tell);
  const deliver = createDelivery(client, createOutbox, ratings);
  let surveys: readonly Survey[] | undefined;

  const messages: Messages = {
    hear: (heard) => hearers.add(heard),
    async list() {
      // Undefined is a word that is forgotten meanwhile, since the person has answered something.
      while (!surveys && !signal.aborted) {
        const reply = await offers.fetch();
        if (!reply) continue;
        const { status, data, cause } = reply;
        if (!data.surveys) {
          emit('error', { status, code: data.error?.code, cause });
          return undefined;
        }
        surveys = data.surveys;
      }
      return surveys;
    },
    messageOf(survey, bound) {
      const mark = offers.markOf(survey);
      const { showToken = '' } = bound;
      const binding = ratings.find(mark, bound)?.binding ?? { ...bound, surveyId: survey.id, showToken };
      const message = { mark, binding };
      const { name } = person;
      const latest = () => ratings.find(mark, binding);
      return {
        binding,
        latest,
        isTheirs: () => person.name === name || !name,
        say(rating, { text, reasons } = {}) {
          const { known: revision = -1, at = 0 } = latest() ?? {};
          // Two choices within a millisecond are two.
          const now = Math.max(Date.now(), at + 1);
          ratings.keep({ ...message, known: revision, rating, text, reasons, at: now, open: true });
          deliver(message);
        },
        resume: () => deliver(message),
      };
    },
  };
  ofPage.set(client, messages);
  // Another tab may have changed one.
  addEventListener('storage', () => tell(), client);
  signal.addEventListener('abort', () => tell());
  return messages;
}
