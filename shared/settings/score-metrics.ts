/** Metrics of the score adapter, in the deployment's namespace and without dimensions, which are billed. */

import type { AlarmLevel } from './metrics.ts';

interface ScoreMetric {
  readonly name: string;
  readonly unit: 'Count' | 'Seconds';
  /** Without an alarm, only a dashboard reads it. */
  readonly alarm?: AlarmLevel;
}

export const SCORE_METRICS = {
  oldestPendingAge: { name: 'OldestPendingScoreAge', unit: 'Seconds', alarm: 'essential' },
  halted: { name: 'ScoreDeliveryHalted', unit: 'Count', alarm: 'essential' },
  failed: { name: 'ScoreRunFailed', unit: 'Count', alarm: 'all' },
  delivered: { name: 'ScoresDelivered', unit: 'Count' },
  oldestWithdrawalAge: { name: 'OldestWithdrawalAge', unit: 'Seconds', alarm: 'essential' },
  rejected: { name: 'ScoresRejected', unit: 'Count' },
} as const satisfies Record<string, ScoreMetric>;
