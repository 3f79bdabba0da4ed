/** When the older part of a long history is folded into its summary, so that a request reads the summary instead. */

import { HOUR } from '../duration.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../project.ts';
import type { History } from './history.ts';

/** For clocks that differ, and for a request under way while its token expires. */
const MARGIN_MS = HOUR;

/**
 * Answers are folded by the time at which their token was issued, since the table orders them by it. A token issued
 * longer ago than this has expired, so no answer can come to lie among those that are folded already.
 * @param longestTokenLifetimeMs the longest lifetime that tokens of the project ever had; the longest there may be
 * where that is not known
 */
export function foldAgeMs(longestTokenLifetimeMs: number = TOKEN_LIFETIME_RANGE_MS.max): number {
  return longestTokenLifetimeMs + MARGIN_MS;
}

/** So many answers are worth a fold: one read and one write of the summary. */
const WORTH_FOLDING = 3;

/**
 * Whether the next answer of this respondent should set off a fold.
 * @param now milliseconds since the epoch
 */
export function isWorthFolding({ unfolded = [] }: History, tokenLifetimeMs: number, now: number): boolean {
  const latest = now - foldAgeMs(tokenLifetimeMs);
  return unfolded.filter((issuedAt) => issuedAt < latest).length >= WORTH_FOLDING;
}
