/** Rating a message with buttons of the page's own: kept and delivered as by the thumbs. */

import type { MessageRating, OwnButtons } from './message-rating.ts';
import type { Client } from './parts.ts';
import { findRating } from './thumbs/ratings.ts';
import type { Binding } from './wire.ts';

export function createOwnButtons(client: Client): OwnButtons {
  const { load, storage, offers, emit } = client;
  /** Tokens of ratings that an earlier page left on their way. */
  const resumed = new Set<string>();
  const act = (binding: Binding, tell: (known: MessageRating) => void) => {
    const told = (known: MessageRating) => {
      tell(known);
      return false;
    };
    load('own')
      .then(({ mount }) => mount(client, binding, told))
      .catch((cause) => emit('error', { cause }));
  };
  return {
    rate: (binding, rating, detail) => act(binding, (known) => known.rate(rating, detail)),
    withdraw: (binding) => act(binding, (known) => known.withdraw()),
    ratingOf(binding) {
      const kept = binding && findRating(storage, offers.markOf({ id: binding.surveyId }), binding);
      if (kept?.open && !resumed.has(kept.binding.showToken)) {
        resumed.add(kept.binding.showToken);
        act(kept.binding, () => undefined);
      }
      return kept?.rating;
    },
  };
}
