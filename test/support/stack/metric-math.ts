/** Supports only the metric math that our alarms use: numbers, metrics, `*`, `/`, `>=`, IF and SUM. */

import { runInNewContext } from 'node:vm';

interface MetricQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly ReturnData?: boolean;
  readonly MetricStat?: { readonly Metric: { readonly MetricName: string } };
}

type Value = number | undefined;

/** Missing data is NaN, which operators pass on. */
const FUNCTIONS = {
  SUM(values: number[]) {
    const known = values.filter((value) => !Number.isNaN(value));
    return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0);
  },
  AT_LEAST: (value: number, least: number) =>
    Number.isNaN(value) || Number.isNaN(least) ? Number.NaN : Number(value >= least),
  IF: (condition: number, yes: number, no: number) =>
    Number.isNaN(condition) ? condition : condition ? yes : no,
};

/**
 * The value that an alarm evaluates for one period, or undefined if data is missing. A metric that nobody wrote is
 * missing: operators pass that on, and SUM ignores it (CloudWatch, "Using math expressions with CloudWatch metrics").
 * @param read returns the value of a metric of the alarm
 */
export function evaluateAlarm(metrics: readonly MetricQuery[], read: (metric: MetricQuery) => Value): Value {
  const evaluate = (query: MetricQuery): number => {
    if (query.Expression === undefined) return read(query) ?? Number.NaN;
    const named = [...query.Expression.matchAll(/\b[a-z]\w*/g)].map(([id]) => {
      const metric = metrics.find(({ Id }) => Id === id);
      if (metric === undefined) throw new Error(`no metric ${id}`);
      return [id, evaluate(metric)] as const;
    });
    const script = query.Expression.replaceAll(/([^,()[\]]+) >= ([^,()[\]]+)/g, 'AT_LEAST($1, $2)');
    return runInNewContext(script, { ...FUNCTIONS, ...Object.fromEntries(named) });
  };
  const shown = metrics.find(
    ({ ReturnData, Expression }) => ReturnData !== false && Expression !== undefined,
  );
  const value = evaluate(shown ?? (metrics[0] as MetricQuery));
  return Number.isNaN(value) ? undefined : value;
}
