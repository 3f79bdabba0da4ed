/** What is asked of a row before its answer is revised or its score acknowledged. */

import type { Condition } from '../table/expressions.ts';

/** Of the row's current revision; 0 is no attribute. */
export const isRevision = (revision: number): Condition =>
  revision === 0
    ? { text: 'attribute_not_exists(#revision)' }
    : { text: '#revision = :revision', values: { revision } };

/** A push was ever tried, as far as is known: `isTried` of the domain. */
export const TRIED: Condition = {
  text: 'attribute_exists(#triedAt) OR #attempts > :none OR #scoreState <> :pending',
  values: { none: 0, pending: 'pending' },
};

export const UNTRIED: Condition = { text: `NOT (${TRIED.text})`, values: TRIED.values };

/**
 * Whether a push is still known of once the score is pending again: one that was delivered before pushes were noted has
 * nothing but its state to say so.
 */
export const REMEMBERS: Condition = {
  text: 'attribute_exists(#triedAt) OR #scoreState = :pending OR #attempts > :none',
  values: { pending: 'pending', none: 0 },
};

export const FORGETS: Condition = { text: `NOT (${REMEMBERS.text})`, values: REMEMBERS.values };
