/**
 * A separate table, so that a point-in-time restore of the main table does not undo it. Each partition is a UTC month.
 */
export const ERASURE_LOG = { partitionKey: 'month', sortKey: 'order', timeToLive: 'ttl' } as const;

/** Limit of point-in-time recovery (DynamoDB) and of the stage's backups. */
export const MOST_RESTORED_DAYS = 35;
