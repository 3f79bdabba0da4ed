/** When the older part of a long history is folded into its summary, so that a request reads the summary instead. */

import { DAY } from './duration.ts';
import type { History } from './eligibility.ts';
import { TOKEN_LIFETIME_RANGE_MS } from './project.ts';

/**
 * Answers are folded by the moment their token was issued, since the table orders them by it. A token issued longer ago than
 * this has expired, with a day to spare for clocks, so no answer can come to lie among those folded already.
 */
export const FOLD_AGE_MS = TOKEN_LIFETIME_RANGE_MS.max + DAY;

/** So many answers are worth a fold: one read and one write of the summary. */
const WORTH_FOLDING = 3;

/**
 * Whether the next answer of this respondent should set off a fold.
 * @param now milliseconds since the epoch
 */
export function isWorthFolding({ unfolded = [] }: History, now: number): boolean {
  return unfolded.filter((issuedAt) => issuedAt < now - FOLD_AGE_MS).length >= WORTH_FOLDING;
}
