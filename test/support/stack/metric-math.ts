/** Supports only the metric math that our alarms use: numbers, metrics, `*`, `/`, `>=`, IF and SUM. */

interface MetricQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly ReturnData?: boolean;
  readonly MetricStat?: { readonly Metric: { readonly MetricName: string } };
}

type Value = number | undefined;

/**
 * The value that an alarm evaluates for one period, or undefined if data is missing. A metric that nobody wrote is
 * missing: operators pass that on, and SUM ignores it (CloudWatch, "Using math expressions with CloudWatch metrics").
 * @param read returns the value of a metric of the alarm
 */
export function evaluateAlarm(metrics: readonly MetricQuery[], read: (metric: MetricQuery) => Value): Value {
  const byId = new Map(metrics.map((query) => [query.Id, query]));

  function resolve(id: string): Value {
    const query = byId.get(id);
    if (query === undefined) throw new Error(`no metric ${id}`);
    return query.Expression === undefined ? read(query) : evaluate(query.Expression);
  }

  function evaluate(expression: string): Value {
    const tokens = expression.match(/-?\d+(?:\.\d+)?|>=|[A-Za-z]\w*|[()[\],*/]/g) ?? [];
    const next = () => tokens.shift() ?? '';
    const both = (a: Value, b: Value, how: (a: number, b: number) => number): Value =>
      a === undefined || b === undefined ? undefined : how(a, b);

    function term(): Value {
      const token = next();
      if (token === 'SUM') {
        const values: Value[] = [];
        next();
        while (tokens[0] !== ']') {
          if (tokens[0] === '[' || tokens[0] === ',') next();
          else values.push(comparison());
        }
        next();
        next();
        const known = values.filter((value) => value !== undefined);
        return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
      }
      if (token === 'IF') {
        next();
        const [condition, , yes, , no] = [comparison(), next(), comparison(), next(), comparison()];
        next();
        if (condition === undefined) return undefined;
        return condition === 0 ? no : yes;
      }
      return /^[-\d]/.test(token) ? Number(token) : resolve(token);
    }
    function product(): Value {
      let value = term();
      while (tokens[0] === '*' || tokens[0] === '/') {
        const operator = next();
        value = both(value, term(), (a, b) => (operator === '*' ? a * b : a / b));
      }
      return value;
    }
    function comparison(): Value {
      const left = product();
      if (tokens[0] !== '>=') return left;
      next();
      return both(left, product(), (a, b) => (a >= b ? 1 : 0));
    }
    return comparison();
  }

  const shown = metrics.find(
    ({ ReturnData, Expression }) => ReturnData !== false && Expression !== undefined,
  );
  return shown === undefined ? read(metrics[0] as MetricQuery) : resolve(shown.Id);
}
