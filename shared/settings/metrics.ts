/**
 * All metrics. Functions write them to log lines; the dashboard and alarms read them. The project is never a dimension,
 * because CloudWatch bills each combination.
 */

interface Metric {
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  /** The field that becomes a dimension. */
  readonly by?: 'route' | 'code';
  /** The level of the alarm, and the dimension values that it reads. */
  readonly alarm?: { readonly level: AlarmLevel; readonly of?: readonly string[] };
}

export const ALARM_LEVELS = ['essential', 'all'] as const;
export type AlarmLevel = (typeof ALARM_LEVELS)[number];

/** Readers of a stage's metrics. Metrics without a reader cost money, so they stay plain fields. */
export interface Watching {
  readonly alarms: AlarmLevel;
  readonly dashboard: boolean;
}

const DASHBOARD = 'dashboard';

export const watchingText = ({ alarms, dashboard }: Watching): string =>
  dashboard ? `${alarms},${DASHBOARD}` : alarms;

/** By default everything is read. */
export const WATCHING_ALL: Watching = { alarms: 'all', dashboard: true };

export function readWatching(text: string | undefined): Watching {
  if (text === undefined) return WATCHING_ALL;
  const said = text.split(',');
  return { alarms: said.includes('all') ? 'all' : 'essential', dashboard: said.includes(DASHBOARD) };
}

export const isWatched = (level: AlarmLevel, { alarms }: Pick<Watching, 'alarms'>): boolean =>
  level === 'essential' || alarms === 'all';

export const METRICS = {
  /** From the event's arrival in the function to its reply. */
  latency: { unit: 'Milliseconds', by: 'route', alarm: { level: 'all', of: ['bootstrap'] } },
  cold_start: { unit: 'Count', by: 'route' },
  issued: { unit: 'Count' },
  /** Surveys withheld by a gate: one metric for each of `GATES` in shared/domain/surveys/eligibility.ts. */
  gated_suppressed: { unit: 'Count' },
  gated_history_too_long: { unit: 'Count' },
  gated_quiet_period: { unit: 'Count' },
  gated_monthly_cap: { unit: 'Count' },
  gated_shown_often: { unit: 'Count' },
  gated_survey_maximum: { unit: 'Count' },
  gated_project_quota: { unit: 'Count' },
  /** Repeated reports count again. */
  shown: { unit: 'Count' },
  accepted: { unit: 'Count', alarm: { level: 'essential' } },
  /** All replies except success, including our own failures. */
  refused: {
    unit: 'Count',
    by: 'code',
    alarm: { level: 'all', of: ['internal_error', 'temporarily_unavailable'] },
  },
  /** Replies above the platform's limit, answered as internal errors. */
  reply_too_large: { unit: 'Count', by: 'route', alarm: { level: 'all', of: ['bootstrap'] } },
  /** Requests admitted because the rate limiter did not answer. */
  unmetered: { unit: 'Count', alarm: { level: 'all' } },
  /** Answers whose `userId` is not the token's respondent (docs/contract.md §9.2). */
  respondent_mismatch: { unit: 'Count' },
  /** Metadata of answers that was not stored (docs/contract.md §9.1). */
  metadata_dropped: { unit: 'Count' },
  /** Age of the oldest pending score, if a sweep's first page has one. */
  oldest_pending: { unit: 'Seconds', alarm: { level: 'all' } },
  /** Purges that finished, and purges that gave up. */
  purge_done: { unit: 'Count' },
  purge_failed: { unit: 'Count' },
  /** Stream records left out of results or totals, because their data cannot be read or written. */
  uncounted: { unit: 'Count', alarm: { level: 'essential' } },
  /** Age of the oldest queued event after the bus refused it. */
  events_waited: { unit: 'Seconds', alarm: { level: 'essential' } },
  /** Events dropped after queue and bus refused them too long, so that counting continues. */
  events_lost: { unit: 'Count', alarm: { level: 'essential' } },
} as const satisfies Record<string, Metric>;

const EVERY = Object.entries<Metric>(METRICS);

export type MetricName = keyof typeof METRICS;

export type Measures = Partial<Record<MetricName, number>>;

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: { readonly Name: string; readonly Unit: string }[];
}

type Divided = Readonly<Partial<Record<'route' | 'code', string>>>;

/** Whether anyone reads this metric. */
function isRead({ by, alarm }: Metric, line: Divided, watching: Watching): boolean {
  if (watching.dashboard) return true;
  if (alarm === undefined || !isWatched(alarm.level, watching)) return false;
  return by === undefined || alarm.of === undefined || alarm.of.includes(line[by] ?? '');
}

interface Told {
  readonly namespace: string;
  readonly watching: Watching;
  readonly line: Divided;
}

/** Embedded metric format directives; the values are fields beside them. */
export function metricDirectives(measures: Measures, { namespace, watching, line }: Told): Directive[] {
  const byDimension = new Map<string | undefined, Directive>();
  for (const [name, metric] of EVERY) {
    if (!(name in measures) || !isRead(metric, line, watching)) continue;
    const { unit, by } = metric;
    const directive = byDimension.get(by) ?? {
      Namespace: namespace,
      Dimensions: [by === undefined ? [] : [by]],
      Metrics: [],
    };
    directive.Metrics.push({ Name: name, Unit: unit });
    byDimension.set(by, directive);
  }
  return [...byDimension.values()];
}

interface ScoreMetric {
  readonly name: string;
  readonly unit: 'Count' | 'Seconds';
  /** Without an alarm, only a dashboard reads it. */
  readonly alarm?: AlarmLevel;
}

/** Metrics of the score adapter, without dimensions. */
export const SCORE_METRICS = {
  oldestPendingAge: { name: 'OldestPendingScoreAge', unit: 'Seconds', alarm: 'essential' },
  halted: { name: 'ScoreDeliveryHalted', unit: 'Count', alarm: 'essential' },
  failed: { name: 'ScoreRunFailed', unit: 'Count', alarm: 'all' },
  delivered: { name: 'ScoresDelivered', unit: 'Count' },
  oldestWithdrawalAge: { name: 'OldestWithdrawalAge', unit: 'Seconds', alarm: 'essential' },
  rejected: { name: 'ScoresRejected', unit: 'Count' },
} as const satisfies Record<string, ScoreMetric>;
