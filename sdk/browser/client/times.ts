/** Times in milliseconds, a share, and how much is kept, in a module without imports: so the build writes them where they are used. */

/** What the service said longer ago is asked for anew: the person may have answered elsewhere since. */
export const FRESH_MS = 1_800_000;
/** A draft left untouched for this long is sent as it is. */
export const DRAFT_MS = 600_000;
/** While a request is under way no other tab or page load sends the same submission. */
export const LEASE_MS = 30_000;
/** A live region speaks of what changes after it is there. */
export const ANNOUNCE_MS = 200;
/** Less than a second after the page has closed its modal dialog, what waited comes. */
export const MODAL_MS = 500;
/** A draft that is to be tried looks so often for its place. */
export const PLACE_MS = 500;
/** Less than a second after a page without Navigation API has changed its path, that is noticed. */
export const PATH_MS = 500;
/** What has been in view for this long was seen. */
export const SEEN_MS = 1_000;
/** How much of an element has to be in view. */
export const SEEN_SHARE = 0.5;
/** How long thanks without a link stay. */
export const THANKS_MS = 5_000;
export const LEAVE_MS = 200;

/**
 * No token lives longer (docs/contract.md §7.2): what the service has not heard of by then, it would refuse.
 * Nothing can be changed either.
 */
export const LONGEST_MS = 30 * 24 * 3_600_000;

/** A choice this young is the person's newest: where another is in its way, it is sent again on top of that. */
export const NEWEST_MS = 60_000;

/** How many answers are kept for later; the oldest gives way. */
export const OUTBOX_LIMIT = 20;
/** And ratings of messages, of at most some 2 KB each. */
export const RATINGS_LIMIT = 200;
