import type { RatingDetail } from './message-rating.ts';
import type { Binding } from './wire.ts';

/** A message in the tests of a page. */
export interface FakeMessage {
  /** What it was rated with, else what it was bound with: a message that was rated needs no token to be changed. */
  readonly binding: Binding;
  /** What it is rated; undefined: nothing. */
  readonly rating: () => number | undefined;
  /** Rates it, or takes that back; returns whether that is something else than before. */
  readonly say: (rating: number | undefined, detail?: RatingDetail) => boolean;
  /** @param heard told of each rating from now on; `false` ends that */
  readonly hear: (heard: () => unknown) => void;
}

/** What tells one message from another. */
const messageOf = ({ surveyId, sessionId, traceId, observationId }: Binding): string =>
  JSON.stringify([surveyId, sessionId, traceId, observationId]);

/** @returns the message of a binding, to a person: what one button says of it, all hear */
export function createFakeMessages(): (binding: Binding, person: string) => FakeMessage {
  const messages = new Map<string, Omit<FakeMessage, 'binding'>>();
  const bindings = new Map<string, Binding>();
  const create = (): Omit<FakeMessage, 'binding'> => {
    const hearers = new Set<() => unknown>();
    let rating: number | undefined;
    let said = '[]';
    return {
      rating: () => rating,
      say(wanted, { text, reasons } = {}) {
        const now = wanted === undefined ? '[]' : JSON.stringify([wanted, text, reasons]);
        if (now === said) return false;
        said = now;
        rating = wanted;
        for (const hear of [...hearers]) if (hear() === false) hearers.delete(hear);
        return true;
      },
      hear: (heard) => hearers.add(heard),
    };
  };
  return (binding, person) => {
    const name = `${messageOf(binding)}${person}`;
    const message = messages.get(name) ?? create();
    messages.set(name, message);
    const known = bindings.get(name) ?? binding;
    return {
      ...message,
      binding: known,
      say(...given) {
        const isSaid = message.say(...given);
        if (isSaid) bindings.set(name, known);
        return isSaid;
      },
    };
  };
}
