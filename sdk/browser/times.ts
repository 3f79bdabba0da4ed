/** Times in milliseconds, in a module without imports: so the build writes them where they are used. */

/** An offer older than this is asked for anew: the person may have answered elsewhere since. */
export const FRESH_MS = 1_800_000;
/** A draft left untouched for this long is sent as it stands. */
export const DRAFT_MS = 600_000;
/** A live region speaks of what changes after it is there. */
export const ANNOUNCE_MS = 150;
export const THANKS_MS = 4_000;
