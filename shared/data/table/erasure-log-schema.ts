/**
 * The log of erasures, a table of its own so that a point-in-time restore of the main table does not take it back.
 * One partition a UTC month, ordered by time within.
 */
export const ERASURE_LOG = { partitionKey: 'month', sortKey: 'order', timeToLive: 'ttl' } as const;
