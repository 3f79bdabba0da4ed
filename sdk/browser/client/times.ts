/** Constants, in milliseconds unless noted. A module without imports, so that the build inlines them. */

/** Age at which a reply is fetched again: the person may have answered elsewhere. */
export const FRESH_MS = 1_800_000;
/** An untouched draft is sent after this time. */
export const DRAFT_MS = 600_000;
/** Meanwhile no other tab or page load sends the same submission. */
export const LEASE_MS = 30_000;
/** A live region announces only what changes after it exists. */
export const ANNOUNCE_MS = 200;
/** How often a closed modal dialog is looked for. */
export const MODAL_MS = 500;
/** How often a preview looks for its place. */
export const PLACE_MS = 500;
/** How often the path is compared, without the Navigation API. */
export const PATH_MS = 500;
export const SEEN_MS = 1_000;
/** Share of an element that must be in view. */
export const SEEN_SHARE = 0.5;
/** Thanks without a link. */
export const THANKS_MS = 5_000;
export const LEAVE_MS = 200;

/** No token lives longer (docs/contract.md §7.2): the service would refuse later answers and changes. */
export const LONGEST_MS = 30 * 24 * 3_600_000;

/** A conflicting choice younger than this is sent again on top of the other. */
export const NEWEST_MS = 60_000;

/** Answers kept for later; the oldest is dropped. */
export const OUTBOX_LIMIT = 20;
/** Ratings of messages, of up to about 2 KB each. */
export const RATINGS_LIMIT = 200;
