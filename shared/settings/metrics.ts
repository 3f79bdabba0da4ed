/** The project is never a dimension, because CloudWatch bills each combination. */

interface Metric {
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  readonly by?: 'route' | 'code';
  /** `of`: the dimension values that the alarm reads. */
  readonly alarm?: { readonly level: AlarmLevel; readonly of?: readonly string[] };
}

export const ALARM_LEVELS = ['essential', 'all'] as const;
export type AlarmLevel = (typeof ALARM_LEVELS)[number];

/** A metric that nothing reads would cost money, so its value stays a plain log field. */
export interface Watching {
  readonly alarms: AlarmLevel;
  readonly dashboard: boolean;
}

const DASHBOARD = 'dashboard';

export const watchingText = ({ alarms, dashboard }: Watching): string =>
  dashboard ? `${alarms},${DASHBOARD}` : alarms;

export const WATCHING_ALL: Watching = { alarms: 'all', dashboard: true };

export function readWatching(text: string | undefined): Watching {
  if (text === undefined) return WATCHING_ALL;
  const said = text.split(',');
  return { alarms: said.includes('all') ? 'all' : 'essential', dashboard: said.includes(DASHBOARD) };
}

export const isWatched = (level: AlarmLevel, { alarms }: Pick<Watching, 'alarms'>): boolean =>
  level === 'essential' || alarms === 'all';

export const METRICS = {
  /** The time from the event's arrival in the function to its reply. */
  latency: { unit: 'Milliseconds', by: 'route', alarm: { level: 'all', of: ['bootstrap'] } },
  cold_start: { unit: 'Count', by: 'route' },
  issued: { unit: 'Count' },
  /** One metric for each of `GATES` in shared/domain/surveys/eligibility.ts. */
  gated_suppressed: { unit: 'Count' },
  gated_history_too_long: { unit: 'Count' },
  gated_quiet_period: { unit: 'Count' },
  gated_monthly_cap: { unit: 'Count' },
  gated_shown_often: { unit: 'Count' },
  gated_answered_often: { unit: 'Count' },
  gated_survey_maximum: { unit: 'Count' },
  gated_project_quota: { unit: 'Count' },
  /** Repeated reports are counted again. */
  shown: { unit: 'Count' },
  accepted: { unit: 'Count', alarm: { level: 'essential' } },
  /** Includes failures of the service itself. */
  refused: {
    unit: 'Count',
    by: 'code',
    alarm: { level: 'all', of: ['internal_error', 'temporarily_unavailable'] },
  },
  reply_too_large: { unit: 'Count', by: 'route', alarm: { level: 'all', of: ['bootstrap'] } },
  /** The rate limiter did not answer. */
  unmetered: { unit: 'Count', alarm: { level: 'all' } },
  /** See docs/contract.md §9.2. */
  respondent_mismatch: { unit: 'Count' },
  /** See docs/contract.md §9.1. */
  metadata_dropped: { unit: 'Count' },
  /** The age of the oldest score, if the first page of a sweep has one. */
  oldest_pending: { unit: 'Seconds', alarm: { level: 'all' } },
  purge_done: { unit: 'Count' },
  purge_failed: { unit: 'Count' },
  /** Stream records whose data cannot be read or written. */
  uncounted: { unit: 'Count', alarm: { level: 'essential' } },
  events_waited: { unit: 'Seconds', alarm: { level: 'essential' } },
  /** The queue and the bus refused these events for too long. Dropping them lets counting continue. */
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
  readonly alarm?: AlarmLevel;
}

/** These metrics have no dimensions. */
export const SCORE_METRICS = {
  oldestPendingAge: { name: 'OldestPendingScoreAge', unit: 'Seconds', alarm: 'essential' },
  halted: { name: 'ScoreDeliveryHalted', unit: 'Count', alarm: 'essential' },
  failed: { name: 'ScoreRunFailed', unit: 'Count', alarm: 'all' },
  delivered: { name: 'ScoresDelivered', unit: 'Count' },
  oldestWithdrawalAge: { name: 'OldestWithdrawalAge', unit: 'Seconds', alarm: 'essential' },
  rejected: { name: 'ScoresRejected', unit: 'Count' },
} as const satisfies Record<string, ScoreMetric>;
