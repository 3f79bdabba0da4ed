/**
 * The log of erasures, a table of its own so that a point-in-time restore of the main table does not take it back.
 * One partition a UTC month, ordered by time within.
 */
export const ERASURE_LOG = { partitionKey: 'month', sortKey: 'order', timeToLive: 'ttl' } as const;

/** A restore reaches back so far at most: by recovery to a point in time (DynamoDB), or from a backup of the stage's. */
export const MOST_RESTORED_DAYS = 35;
