import type { Kit } from './kit.ts';
import { openAsk } from './open-ask.ts';
import type { Asking, Client, Present } from './parts.ts';
import type { Survey } from './wire.ts';

/** @param presentOf finds what draws a survey; without it the page does */
export function askingOf(
  client: Client,
  { createOutbox, spoken }: Pick<Kit, 'createOutbox' | 'spoken'>,
  presentOf?: (survey: Survey) => Promise<Present>,
): Asking {
  const { options, emit, signal, isOpen } = client;
  const { put, flush } = createOutbox(client);

  return {
    flush,
    async open(current) {
      const present = await presentOf?.(current.survey);
      const survey = await spoken(current.survey, options);
      if (!isOpen(current)) return;
      const ask = openAsk(client, current, survey, put);
      current.ask = ask;
      emit('ask', ask);
      if (!present) return;
      current.view = await present(ask, current.place, options, signal);
      if (!isOpen(current)) return current.view.remove();
      emit('shown', { survey: ask.survey });
    },
  };
}
