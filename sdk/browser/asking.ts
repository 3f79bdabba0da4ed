import { openAsk } from './open-ask.ts';
import { createOutbox } from './outbox.ts';
import type { Client, Current, Present } from './parts.ts';

/** Puts surveys to the person and delivers what they say. */
export interface Asking {
  readonly open: (current: Current) => Promise<void>;
  /** Sends what is due; resolves when nothing is under way any more. */
  readonly flush: () => Promise<void>;
}

/** @param present draws the survey; without it the page does */
export function createAsking(client: Client, present: Present | undefined): Asking {
  const { options, emit, signal, isOpen, load } = client;
  const { put, flush } = createOutbox(client);

  return {
    flush,
    async open(current) {
      if (!isOpen(current)) return;
      const ask = openAsk(client, current, put);
      current.ask = ask;
      emit('ask', ask);
      if (!present) return;
      const drawing = ask.survey.type === 'thumbs' ? await load('thumbs') : { present };
      current.view = await drawing.present(ask, current.place, options, signal);
      if (!isOpen(current)) return current.view.remove();
      emit('shown', { survey: ask.survey });
    },
  };
}
