/** Log lines with metrics (CloudWatch embedded metric format). */

import type { PushReport } from '../../shared/delivery/push-scores.ts';
import {
  type AlarmLevel,
  isWatched,
  SCORE_METRICS,
  WATCHING_ALL,
  type Watching,
} from '../../shared/settings/metrics.ts';
import type { Service } from '../runtime/compose.ts';
import type { LogEntry } from '../runtime/logger.ts';

interface Metered {
  readonly metricsNamespace: string;
  readonly watching?: Watching | undefined;
}

export const meteredBy = ({ config }: Service): Metered => ({
  metricsNamespace: config.metricsNamespace ?? 'canvass-local',
  watching: config.watching,
});

interface RunLine extends Metered {
  readonly projectId?: string;
  readonly destination?: string;
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
  // The alarms treat missing data as zero here, and zeros would cost money.
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
  readonly destination?: string;
  readonly now: number;
  readonly withdrawn: number;
  readonly left: number;
  readonly oldestSeconds: number;
  readonly reason?: string | undefined;
  readonly halted?: string | undefined;
}

export function withdrawalLine(line: WithdrawalLine): LogEntry {
  const { metricsNamespace, watching, now, oldestSeconds, ...entry } = line;
  return withMetrics({ message: 'scores: withdrawals', ...entry }, line, now, [
    { metric: oldestWithdrawalAge, value: oldestSeconds },
    ...(line.halted === undefined ? [] : [{ metric: halted, value: 1 }]),
  ]);
}

/** The age alarm treats missing data as a failure, so idle runs report too. */
export function idleLine(metered: Metered, now: number): LogEntry {
  const message = 'scores: no destination is configured';
  return withMetrics({ message }, metered, now, [{ metric: oldestPendingAge, value: 0 }]);
}
