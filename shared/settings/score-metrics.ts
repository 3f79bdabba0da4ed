/**
 * The score adapter's metrics between the function, which emits them, and infrastructure, which watches them: in the
 * deployment's namespace, without dimensions, which are billed; a project is a property of the line.
 */

import type { AlarmLevel } from './metrics.ts';

interface ScoreMetric {
  readonly name: string;
  readonly unit: 'Count' | 'Seconds';
  /** The level of the alarm that reads it; without one a dashboard does. */
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
