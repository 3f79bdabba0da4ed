import { evaluateAlarm } from './metric-math.ts';

interface MetricStat {
  readonly Metric: { readonly MetricName: string };
  readonly Period: number;
  readonly Stat: string;
}

/** An alarm of a template, of one metric or of metric math. */
interface AlarmProperties {
  readonly MetricName?: string;
  readonly Period?: number;
  readonly Statistic?: string;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly ReturnData?: boolean;
    readonly MetricStat?: MetricStat;
  }[];
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly TreatMissingData: string;
}

/** Values of metrics by name, one a minute; undefined where nothing was written. */
export type Series = Readonly<Record<string, readonly (number | undefined)[]>>;

/**
 * In which minutes an alarm is in ALARM. It is evaluated every minute over windows that end then and slide with it; a
 * window in which nothing was written is missing data (CloudWatch, "Alarm evaluation window", "Configuring how
 * CloudWatch alarms treat missing data").
 * @param late by how many minutes the values of a metric come late
 */
export function simulateAlarm(
  alarm: AlarmProperties,
  series: Series,
  late: Readonly<Record<string, number>> = {},
): boolean[] {
  const {
    MetricName = '',
    Period = 0,
    Statistic = '',
    Metrics = [{ Id: 'm', MetricStat: { Metric: { MetricName }, Period, Stat: Statistic } }],
    Threshold,
    EvaluationPeriods,
    TreatMissingData,
  } = alarm;
  const stats = Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
  const [{ Period: seconds } = { Period: 0 }] = stats;
  // CloudWatch refuses others (PutMetricAlarm: metric math).
  if (seconds === 0 || stats.some((stat) => stat.Period !== seconds)) throw new Error('periods differ');
  if (stats.some(({ Stat }) => Stat !== 'Sum')) throw new Error('only sums are simulated');
  const minutes = seconds / 60;
  const length = Math.max(...Object.values(series).map((values) => values.length));

  function sum(name: string, from: number, to: number): number | undefined {
    const known = (series[name] ?? [])
      .slice(Math.max(0, from), Math.max(0, to))
      .filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
  }
  const isBreaching = (now: number, end: number): boolean => {
    const value = evaluateAlarm(Metrics, ({ MetricStat }) => {
      const name = MetricStat?.Metric.MetricName ?? '';
      return sum(name, end - minutes, Math.min(end, now - (late[name] ?? 0)));
    });
    return value === undefined ? TreatMissingData === 'breaching' : value >= Threshold;
  };
  return Array.from({ length }, (_, minute) =>
    Array.from({ length: EvaluationPeriods }, (__, back) => minute + 1 - back * minutes).every((end) =>
      isBreaching(minute + 1, end),
    ),
  );
}
