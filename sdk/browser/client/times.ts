/** In milliseconds unless noted. Without imports, so that the build inlines them. */

/** Refetches older replies, because people answer elsewhere. */
export const FRESH_MS = 1_800_000;
export const DRAFT_MS = 600_000;
/** Other tabs and page loads leave the submission alone. */
export const LEASE_MS = 30_000;
/** Live regions announce only later changes. */
export const ANNOUNCE_MS = 200;
export const MODAL_MS = 500;
export const PLACE_MS = 500;
/** Used without the Navigation API. */
export const PATH_MS = 500;
export const SEEN_MS = 1_000;
export const SEEN_SHARE = 0.5;
export const THANKS_MS = 5_000;
export const LEAVE_MS = 200;

/** Tokens live no longer (docs/contract.md §7.2). */
export const LONGEST_MS = 30 * 24 * 3_600_000;

/** A younger conflicting choice is sent again. */
export const NEWEST_MS = 60_000;

/** Answers; the oldest is dropped. */
export const OUTBOX_LIMIT = 20;
/** Ratings of up to about 2 KB. */
export const RATINGS_LIMIT = 200;
