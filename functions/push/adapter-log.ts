/** One log line a run and project, which is also its metrics (CloudWatch embedded metric format). */

import type { PushReport } from '../../shared/delivery/push-scores.ts';
import { type AlarmLevel, isWatched, WATCHING_ALL, type Watching } from '../../shared/settings/metrics.ts';
import { SCORE_METRICS } from '../../shared/settings/score-metrics.ts';
import type { Service } from '../runtime/compose.ts';
import type { LogEntry } from '../runtime/logger.ts';

interface Metered {
  /** The CloudWatch namespace of the deployment's metrics. */
  readonly metricsNamespace: string;
  /** Who reads them. */
  readonly watching?: Watching | undefined;
}

/** Where metrics of the deployment go. */
export const meteredBy = ({ config }: Service): Metered => ({
  metricsNamespace: config.metricsNamespace ?? 'canvass-local',
  watching: config.watching,
});

interface RunLine extends Metered {
  /** Absent when no project's run came about. */
  readonly projectId?: string;
  readonly destination?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly oldestPendingSeconds?: number;
  readonly report?: PushReport;
  readonly error?: unknown;
}

interface Measure {
  readonly metric: { readonly name: string; readonly unit: string; readonly alarm?: AlarmLevel };
  readonly value: number;
}

const { oldestPendingAge, halted, failed, delivered, rejected, oldestWithdrawalAge } = SCORE_METRICS;

function withMetrics(
  entry: LogEntry,
  { metricsNamespace, watching = WATCHING_ALL }: Metered,
  now: number,
  measures: readonly Measure[],
): LogEntry {
  // That nothing was wrong is what an alarm takes silence for, at no cost.
  const isTold = ({ metric, value }: Measure) => value > 0 || (metric !== halted && metric !== failed);
  const isRead = ({ metric: { alarm } }: Measure) =>
    watching.dashboard || (alarm !== undefined && isWatched(alarm, watching));
  const Metrics = measures
    .filter((measure) => isTold(measure) && isRead(measure))
    .map(({ metric }) => ({ Name: metric.name, Unit: metric.unit }));
  return {
    ...entry,
    ...Object.fromEntries(measures.map(({ metric, value }) => [metric.name, value])),
    ...(Metrics.length > 0 && {
      _aws: {
        Timestamp: now,
        CloudWatchMetrics: [{ Namespace: metricsNamespace, Dimensions: [[]], Metrics }],
      },
    }),
  };
}

export function runLine(line: RunLine): LogEntry {
  const { metricsNamespace, watching, now, oldestPendingSeconds, report, error, ...whose } = line;
  const entry = {
    message: 'scores',
    ...whose,
    ...(report !== undefined && {
      polled: report.polled,
      delivered: report.delivered,
      rejected: report.rejected,
      left: report.left,
      ...(report.halted !== undefined && { halted: report.halted }),
    }),
    ...(error !== undefined && { error }),
  };
  return withMetrics(entry, line, now, [
    { metric: halted, value: report?.halted === undefined ? 0 : 1 },
    { metric: failed, value: report === undefined ? 1 : 0 },
    { metric: delivered, value: report?.delivered ?? 0 },
    { metric: rejected, value: report?.rejected ?? 0 },
    ...(oldestPendingSeconds === undefined
      ? []
      : [{ metric: oldestPendingAge, value: oldestPendingSeconds }]),
  ]);
}

interface WithdrawalLine extends Metered {
  readonly projectId: string;
  /** Absent where none is configured. */
  readonly destination?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly withdrawn: number;
  readonly left: number;
  readonly oldestSeconds: number;
  /** Why some were not withdrawn: the latest reason. */
  readonly reason?: string | undefined;
  readonly halted?: string | undefined;
}

/** The line about scores that are deleted where they were delivered, because their answers were erased. */
export function withdrawalLine(line: WithdrawalLine): LogEntry {
  const { metricsNamespace, watching, now, oldestSeconds, ...entry } = line;
  return withMetrics({ message: 'scores: withdrawals', ...entry }, line, now, [
    { metric: oldestWithdrawalAge, value: oldestSeconds },
    ...(line.halted === undefined ? [] : [{ metric: halted, value: 1 }]),
  ]);
}

/** The line of a run that has nothing to do: the alarm on age takes silence for a failure. */
export function idleLine(metered: Metered, now: number): LogEntry {
  const message = 'scores: nothing is configured';
  return withMetrics({ message }, metered, now, [{ metric: oldestPendingAge, value: 0 }]);
}
