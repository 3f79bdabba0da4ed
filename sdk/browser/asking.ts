import { openAsk } from './open-ask.ts';
import { createOutbox } from './outbox.ts';
import type { Asking, Client, Present } from './parts.ts';

/** @param present draws the survey; without it the page does */
export function createAsking(client: Client, present: Present | undefined): Asking {
  const { options, emit, signal, isOpen, load } = client;
  const { put, flush } = createOutbox(client);

  return {
    flush,
    async open(current) {
      const drawing = current.survey.type === 'thumbs' && present ? await load('thumbs') : { present };
      if (!isOpen(current)) return;
      const ask = openAsk(client, current, put);
      current.ask = ask;
      emit('ask', ask);
      if (!drawing.present) return;
      current.view = await drawing.present(ask, current.place, options, signal);
      if (!isOpen(current)) return current.view.remove();
      emit('shown', { survey: ask.survey });
    },
  };
}
