/**
 * Every metric of the service but those of pushing scores (`score-metrics.ts`): functions write them into their log
 * lines, dashboard and alarms read them. The project is a property of the line, never a dimension: CloudWatch bills
 * every combination of dimensions.
 */

interface Metric {
  readonly unit: 'Count' | 'Milliseconds' | 'Seconds';
  /** The field of the line that divides the metric. */
  readonly by?: 'route' | 'code';
}

export const METRICS = {
  /** From the event's arrival in the function to its reply. */
  latency: { unit: 'Milliseconds', by: 'route' },
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
  accepted: { unit: 'Count', by: 'route' },
  /** Replies other than success, failures of our own included. */
  refused: { unit: 'Count', by: 'code' },
  /** Replies that the platform would not carry, answered as a failure of ours. */
  reply_too_large: { unit: 'Count', by: 'route' },
  /** Requests that passed because the rate limiter did not answer. */
  unmetered: { unit: 'Count' },
  /** Answers whose `userId` is not the token's respondent (docs/contract.md §9.2). */
  respondent_mismatch: { unit: 'Count' },
  /** Paths of what answers carried beside the rating and was not kept (docs/contract.md §9.1). */
  metadata_dropped: { unit: 'Count' },
  /** Age of the oldest score that is pending, not failed, when the first page of a sweep has one. */
  oldest_pending: { unit: 'Seconds' },
  /** Purges, of a survey, a project or a person, that found nothing left, and such as gave up. */
  purge_done: { unit: 'Count' },
  purge_failed: { unit: 'Count' },
  /** Records of the stream that were left out of results or totals: what they need cannot be read or written. */
  uncounted: { unit: 'Count' },
  /** How long the oldest event has waited in the queue that the bus has just not taken. */
  events_waited: { unit: 'Seconds' },
  /** Events that neither queue nor bus took for so long that counting goes on without them. */
  events_lost: { unit: 'Count' },
} as const satisfies Record<string, Metric>;

const EVERY = Object.entries<Metric>(METRICS);

export type MetricName = keyof typeof METRICS;

export type Measures = Partial<Record<MetricName, number>>;

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: { readonly Name: string; readonly Unit: string }[];
}

/** What makes CloudWatch read measures out of a log line (embedded metric format); the values stand beside it. */
export function metricDirectives(namespace: string, measures: Measures): Directive[] {
  const byDimension = new Map<string | undefined, Directive>();
  for (const [name, { unit, by }] of EVERY) {
    if (!(name in measures)) continue;
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
