/**
 * A table of its own, so that a point-in-time restore of the main table does not undo it. Each partition is a UTC
 * month.
 */
export const ERASURE_LOG = { partitionKey: 'month', sortKey: 'order', timeToLive: 'ttl' } as const;

/** Limit of restores, by point-in-time recovery (DynamoDB) or from a backup of the stage. */
export const MOST_RESTORED_DAYS = 35;
