/** The score adapter's metrics between the function, which emits them, and infrastructure, which watches them. */
export const SCORE_METRICS = {
  namespace: 'Canvass',
  /** The only one: a project is a property, not a dimension that is billed. */
  dimension: 'stage',
  oldestPendingAge: { name: 'OldestPendingScoreAge', unit: 'Seconds' },
  halted: { name: 'ScoreDeliveryHalted', unit: 'Count' },
  failed: { name: 'ScoreRunFailed', unit: 'Count' },
  delivered: { name: 'ScoresDelivered', unit: 'Count' },
  rejected: { name: 'ScoresRejected', unit: 'Count' },
} as const;
