/** Times are in milliseconds unless noted. This file has no imports, so that the build can inline them. */

/** Older replies are fetched again, because people may answer elsewhere. */
export const FRESH_MS = 1_800_000;
export const DRAFT_MS = 600_000;
/** During this time, other tabs and page loads do not send the submission. */
export const LEASE_MS = 30_000;
/** A request without a reply ends after this time. */
export const TIMEOUT_MS = 12_000;
/** `DOMException.TIMEOUT_ERR` */
export const TIMEOUT_CODE = 23;
/** Timers ignore longer delays. */
export const LONGEST_TIMER_MS = 2_000_000_000;
/** Used instead of a number of tries for optional reports, so that their 429 does not hold back answers. */
export const ONCE = -1;
/** Live regions announce only changes that happen later than this. */
export const ANNOUNCE_MS = 200;
export const MODAL_MS = 500;
export const PLACE_MS = 500;
/** The interval of polling without the Navigation API. */
export const PATH_MS = 500;
export const SEEN_MS = 1_000;
export const SEEN_SHARE = 0.5;
export const THANKS_MS = 5_000;
export const LEAVE_MS = 200;

/** Tokens have at most this lifetime (docs/contract.md §7.2). */
export const LONGEST_MS = 30 * 24 * 3_600_000;

/** A conflicting choice that is newer than this is sent again. */
export const NEWEST_MS = 60_000;

/** The maximum number of answers. The oldest is dropped. */
export const OUTBOX_LIMIT = 20;
/** The maximum number of ratings, each up to about 2 KB. */
export const RATINGS_LIMIT = 200;
