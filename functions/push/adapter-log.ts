/** One log line a run and project, which is also its metrics (CloudWatch embedded metric format). */

import type { PushReport } from '../../sdk/server/push-scores.ts';
import { SCORE_METRICS } from '../../shared/settings/score-metrics.ts';
import type { LogEntry } from '../runtime/logger.ts';

interface RunLine {
  /** The CloudWatch namespace of the deployment's metrics. */
  readonly metricsNamespace: string;
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
  readonly metric: { readonly name: string; readonly unit: string };
  readonly value: number;
}

const { oldestPendingAge, halted, failed, delivered, rejected, withdrawn, oldestWithdrawalAge } =
  SCORE_METRICS;

function withMetrics(
  entry: LogEntry,
  namespace: string,
  now: number,
  measures: readonly Measure[],
): LogEntry {
  return {
    ...entry,
    ...Object.fromEntries(measures.map(({ metric, value }) => [metric.name, value])),
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [[]],
          Metrics: measures.map(({ metric }) => ({ Name: metric.name, Unit: metric.unit })),
        },
      ],
    },
  };
}

export function runLine(line: RunLine): LogEntry {
  const { metricsNamespace, now, oldestPendingSeconds, report, error, ...whose } = line;
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
  return withMetrics(entry, metricsNamespace, now, [
    { metric: halted, value: report?.halted === undefined ? 0 : 1 },
    { metric: failed, value: report === undefined ? 1 : 0 },
    { metric: delivered, value: report?.delivered ?? 0 },
    { metric: rejected, value: report?.rejected ?? 0 },
    ...(oldestPendingSeconds === undefined
      ? []
      : [{ metric: oldestPendingAge, value: oldestPendingSeconds }]),
  ]);
}

interface WithdrawalLine {
  readonly metricsNamespace: string;
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
  const { metricsNamespace, now, oldestSeconds, ...entry } = line;
  return withMetrics({ message: 'scores: withdrawals', ...entry }, metricsNamespace, now, [
    { metric: withdrawn, value: line.withdrawn },
    { metric: oldestWithdrawalAge, value: oldestSeconds },
    ...(line.halted === undefined ? [] : [{ metric: halted, value: 1 }]),
  ]);
}

/** The line of a run that has nothing to do: the alarm on age takes silence for a failure. */
export function idleLine(metricsNamespace: string, now: number): LogEntry {
  const message = 'scores: nothing is configured';
  return withMetrics({ message }, metricsNamespace, now, [{ metric: oldestPendingAge, value: 0 }]);
}
