/**
 * The score adapter's metrics between the function, which emits them, and infrastructure, which watches them: in the
 * deployment's namespace, without dimensions, which are billed; a project is a property of the line.
 */
export const SCORE_METRICS = {
  oldestPendingAge: { name: 'OldestPendingScoreAge', unit: 'Seconds' },
  halted: { name: 'ScoreDeliveryHalted', unit: 'Count' },
  failed: { name: 'ScoreRunFailed', unit: 'Count' },
  delivered: { name: 'ScoresDelivered', unit: 'Count' },
  withdrawn: { name: 'ScoresWithdrawn', unit: 'Count' },
  oldestWithdrawalAge: { name: 'OldestWithdrawalAge', unit: 'Seconds' },
  rejected: { name: 'ScoresRejected', unit: 'Count' },
} as const;
