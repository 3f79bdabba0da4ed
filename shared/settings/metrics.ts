/**
 * Every metric of the service but those of pushing scores (`score-metrics.ts`): functions write them into their log
 * lines, dashboard and alarms read them. The project is a property of the line, never a dimension: CloudWatch bills
 * every combination of dimensions.
 */

interface Metric {
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  /** The field of the line that divides the metric. */
  readonly by?: 'route' | 'code';
  /** Of a metric that an alarm reads: the level of alarms, and of a divided one which of its parts. */
  readonly alarm?: { readonly level: AlarmLevel; readonly of?: readonly string[] };
}

export const ALARM_LEVELS = ['essential', 'all'] as const;
export type AlarmLevel = (typeof ALARM_LEVELS)[number];

/** Who reads metrics of a stage. What nobody reads is not written, since each metric costs: it stays a field of the line. */
export interface Watching {
  readonly alarms: AlarmLevel;
  readonly dashboard: boolean;
}

const DASHBOARD = 'dashboard';

/** As an environment variable tells it. */
export const watchingText = ({ alarms, dashboard }: Watching): string =>
  dashboard ? `${alarms},${DASHBOARD}` : alarms;

/** Where nothing is said, everything is read. */
export const WATCHING_ALL: Watching = { alarms: 'all', dashboard: true };

export function readWatching(text: string | undefined): Watching {
  if (text === undefined) return WATCHING_ALL;
  const said = text.split(',');
  return { alarms: said.includes('all') ? 'all' : 'essential', dashboard: said.includes(DASHBOARD) };
}

/** Whether an alarm of a level is among those of a stage. */
export const isWatched = (level: AlarmLevel, { alarms }: Pick<Watching, 'alarms'>): boolean =>
  level === 'essential' || alarms === 'all';

export const METRICS = {
  /** From the event's arrival in the function to its reply. */
  latency: { unit: 'Milliseconds', by: 'route', alarm: { level: 'all', of: ['bootstrap'] } },
  cold_start: { unit: 'Count', by: 'route' },
  /** Show-tokens. */
  issued: { unit: 'Count' },
  /** Surveys that a gate kept from a respondent: one metric for each of `GATES` in shared/domain/surveys/eligibility.ts. */
  gated_suppressed: { unit: 'Count' },
  gated_history_too_long: { unit: 'Count' },
  gated_quiet_period: { unit: 'Count' },
  gated_monthly_cap: { unit: 'Count' },
  gated_shown_often: { unit: 'Count' },
  gated_survey_maximum: { unit: 'Count' },
  gated_project_quota: { unit: 'Count' },
  /** Shows recorded; one reported again counts again. */
  shown: { unit: 'Count' },
  /** Answers stored. */
  accepted: { unit: 'Count', alarm: { level: 'essential' } },
  /** Replies other than success, failures of our own included. */
  refused: {
    unit: 'Count',
    by: 'code',
    alarm: { level: 'all', of: ['internal_error', 'temporarily_unavailable'] },
  },
  /** Replies that the platform would not carry, answered as a failure of ours. */
  reply_too_large: { unit: 'Count', by: 'route', alarm: { level: 'all', of: ['bootstrap'] } },
  /** Requests that passed because the rate limiter did not answer. */
  unmetered: { unit: 'Count', alarm: { level: 'all' } },
  /** Answers whose `userId` is not the token's respondent (docs/contract.md §9.2). */
  respondent_mismatch: { unit: 'Count' },
  /** Paths of what answers carried beside the rating and was not kept (docs/contract.md §9.1). */
  metadata_dropped: { unit: 'Count' },
  /** Age of the oldest score that is pending, not failed, when the first page of a sweep has one. */
  oldest_pending: { unit: 'Seconds', alarm: { level: 'all' } },
  /** Purges, of a survey, a project or a person, that found nothing left, and such as gave up. */
  purge_done: { unit: 'Count' },
  purge_failed: { unit: 'Count' },
  /** Records of the stream that were left out of results or totals: what they need cannot be read or written. */
  uncounted: { unit: 'Count', alarm: { level: 'essential' } },
  /** How long the oldest event has waited in the queue that the bus has just not taken. */
  events_waited: { unit: 'Seconds', alarm: { level: 'essential' } },
  /** Events that neither queue nor bus took for so long that counting goes on without them. */
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

/** The fields of a line by which metrics are divided. */
type Divided = Readonly<Partial<Record<'route' | 'code', string>>>;

/** Whether anybody reads this metric of a line. */
function isRead({ by, alarm }: Metric, line: Divided, watching: Watching): boolean {
  if (watching.dashboard) return true;
  if (alarm === undefined || !isWatched(alarm.level, watching)) return false;
  return by === undefined || alarm.of === undefined || alarm.of.includes(line[by] ?? '');
}

interface Told {
  readonly namespace: string;
  readonly watching: Watching;
  /** The line that has the values. */
  readonly line: Divided;
}

/** What makes CloudWatch read measures out of a log line (embedded metric format); the values stand beside it. */
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
