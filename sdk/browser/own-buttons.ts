/** Rating a message with buttons of the page's own: kept and delivered as by the thumbs. */

import type { OwnButtons } from './message-rating.ts';
import type { Client } from './parts.ts';
import { ownMessage } from './thumbs/own.ts';
import { findRating } from './thumbs/ratings.ts';

/** All of it is at hand, so that what is clicked is kept before anything can take the page away. */
export function createOwnButtons(client: Client): OwnButtons {
  const { storage, offers, signal } = client;
  /** Tokens of ratings that an earlier page left on their way. */
  const resumed = new Set<string>();
  return {
    rate: (binding, ...given) => ownMessage(client, binding)?.rate(...given),
    withdraw: (binding) => ownMessage(client, binding)?.withdraw(),
    ratingOf(binding) {
      if (!binding?.surveyId) return undefined;
      const kept = findRating(storage, offers.markOf({ id: binding.surveyId }), binding);
      // On a server nothing is bound. Elsewhere the message is this person's from now on.
      const message = signal.aborted ? undefined : ownMessage(client, binding);
      if (kept?.open && !resumed.has(kept.binding.showToken)) {
        resumed.add(kept.binding.showToken);
        message?.resume();
      }
      return kept?.rating;
    },
  };
}
