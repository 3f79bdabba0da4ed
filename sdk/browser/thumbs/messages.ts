import type { Kit } from '../client/kit.ts';
import type { Client, Heard, Messages } from '../client/modules.ts';
import type { Survey } from '../client/survey.ts';
import { createDelivery } from './delivery.ts';
import { createRatings, said } from './ratings.ts';

export function messagesOf(client: Client, createOutbox: Kit['createOutbox']): Messages {
  if (client.messages) return client.messages;
  const { storage, signal, eligibility, emit, person } = client;
  const hearers = new Set<Heard>();
  const tell: (...given: Parameters<Heard>) => void = (...given) => {
    for (const hear of hearers) if (!hear(...given)) hearers.delete(hear);
  };
  const ratings = createRatings(storage, (showToken) => tell(showToken));
  const deliver = createDelivery(client, createOutbox, ratings, tell);
  /** The first person who signed in, by token. */
  const owners: Record<string, string> = {};
  let surveys: readonly Survey[] | undefined;

  const messages: Messages = {
    hear: (heard) => hearers.add(heard),
    async list() {
      // There is no reply if an answer discarded it, so the request is repeated.
      while (!surveys && !signal.aborted) {
        const reply = await eligibility.fetch();
        if (!reply) continue;
        const { status, data, cause } = reply;
        surveys = data.surveys;
        if (!surveys) return void emit('error', { status, code: data.error?.code, cause });
      }
      return surveys;
    },
    messageOf(survey, bound, owner) {
      const mark = eligibility.markOf(survey);
      const { showToken = '' } = bound;
      const binding = ratings.find(mark, bound)?.binding ?? { ...bound, surveyId: survey.id, showToken };
      const message = { mark, binding };
      const latest = () => ratings.find(mark, binding);
      const isTheirs = (name = person.name) => {
        owners[binding.showToken] ||= name;
        return (owners[binding.showToken] || person.name) === person.name;
      };
      isTheirs(owner);
      return {
        binding,
        latest,
        isTheirs,
        say(rating, detail) {
          const before = latest();
          const now = { ...detail, ...message, rating, at: Date.now(), open: true };
          if (!isTheirs() || said(now) === said(before ?? {})) return false;
          ratings.keep({ ...now, known: before?.known ?? -1 });
          deliver(message);
          return true;
        },
        resume: () => deliver(message),
      };
    },
  };
  client.messages = messages;
  addEventListener('storage', () => tell(), client);
  signal.addEventListener('abort', () => tell());
  return messages;
}
