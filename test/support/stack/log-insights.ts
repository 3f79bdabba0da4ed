/** CloudWatch Logs Insights, as far as the runbook asks it ("Logs Insights QL: filter, stats"): rows that a query gives. */

type Value = unknown;
export type LogLine = Readonly<Record<string, Value>>;
/** Groups and aggregates by their text. */
type Row = Readonly<Record<string, Value>>;
type Test = (line: LogLine) => boolean;

const TOKEN = /\s*("[^"]*"|\/(?:\\.|[^/\\])+\/|[@\w][\w.@]*|!=|>=|<=|[=<>(),[\]|])/y;

function tokens(query: string): string[] {
  const found: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < query.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(query);
    if (match?.[1] === undefined) throw new Error(`not understood: ${query.slice(from)}`);
    found.push(match[1]);
  }
  return found;
}

/** Of a line of JSON: `error.name` is a field within a field; `@message` is the line as it was written, `@log` its log group. */
function fieldOf(line: LogLine, path: string): Value {
  if (path === '@message') return JSON.stringify(line);
  if (path === '@log') return '123456789012:/canvass/test/a-function';
  const value = path
    .split('.')
    .reduce<Value>(
      (inner, part) => (typeof inner === 'object' && inner !== null ? (inner as LogLine)[part] : undefined),
      line,
    );
  return typeof value === 'object' ? undefined : value;
}

const COMPARISONS: Readonly<Record<string, (one: Value, other: Value) => boolean>> = {
  '=': (one, other) => one === other,
  '!=': (one, other) => one !== undefined && one !== other,
  '>=': (one, other) => Number(one) >= Number(other),
  '<=': (one, other) => Number(one) <= Number(other),
  '>': (one, other) => Number(one) > Number(other),
  '<': (one, other) => Number(one) < Number(other),
};

function literal(token: string): Value {
  if (token.startsWith('"')) return token.slice(1, -1);
  if (!Number.isNaN(Number(token))) return Number(token);
  throw new Error(`no value: ${token}`);
}

/** `(?i)` at its start leaves case out of account. */
function pattern(token: string): RegExp {
  if (!token.startsWith('/')) throw new Error(`no pattern: ${token}`);
  const body = token.slice(1, -1);
  return body.startsWith('(?i)') ? new RegExp(body.slice(4), 'i') : new RegExp(body);
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(query: string) {
    this.#tokens = tokens(query);
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  take(): string {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Error('the query ends too soon');
    return token;
  }

  takes(token: string): boolean {
    if (this.next !== token) return false;
    this.#at++;
    return true;
  }

  expect(token: string): void {
    if (!this.takes(token)) throw new Error(`"${token}" is missing before "${this.next}"`);
  }

  /** What stands between commas, until `end`. */
  list<T>(read: () => T): T[] {
    const items = [read()];
    while (this.takes(',')) items.push(read());
    return items;
  }
}

function condition(reader: Reader): Test {
  const any = [conjunction(reader)];
  while (reader.takes('or')) any.push(conjunction(reader));
  return (line) => any.some((test) => test(line));
}

function conjunction(reader: Reader): Test {
  const all = [comparison(reader)];
  while (reader.takes('and')) all.push(comparison(reader));
  return (line) => all.every((test) => test(line));
}

function comparison(reader: Reader): Test {
  if (reader.takes('not')) {
    const inner = comparison(reader);
    return (line) => !inner(line);
  }
  if (reader.takes('(')) {
    const inner = condition(reader);
    reader.expect(')');
    return inner;
  }
  if (reader.takes('ispresent')) {
    reader.expect('(');
    const field = reader.take();
    reader.expect(')');
    return (line) => fieldOf(line, field) !== undefined;
  }
  const field = reader.take();
  if (reader.takes('like')) {
    const wanted = pattern(reader.take());
    return (line) => wanted.test(String(fieldOf(line, field) ?? ''));
  }
  if (reader.takes('in')) {
    reader.expect('[');
    const values = reader.list(() => literal(reader.take()));
    reader.expect(']');
    return (line) => values.includes(fieldOf(line, field));
  }
  const compare = COMPARISONS[reader.take()];
  if (compare === undefined) throw new Error(`no comparison after ${field}`);
  const value = literal(reader.take());
  return (line) => compare(fieldOf(line, field), value);
}

const present = (lines: readonly LogLine[], field: string) =>
  lines.map((line) => fieldOf(line, field)).filter((value) => value !== undefined);
const highest = (values: readonly Value[]) =>
  values.length === 0 ? undefined : Math.max(...values.map(Number));

const AGGREGATES: Readonly<Record<string, (lines: readonly LogLine[], field: string) => Value>> = {
  count: (lines) => lines.length,
  sum: (lines, field) => {
    const values = present(lines, field);
    return values.length === 0 ? undefined : values.reduce<number>((sum, value) => sum + Number(value), 0);
  },
  max: (lines, field) => highest(present(lines, field)),
  // Of so few lines as a test has.
  pct: (lines, field) => highest(present(lines, field)),
  latest: (lines, field) => present(lines, field).at(-1),
};

/** A function or a field, with its text. */
function column(reader: Reader): { readonly name: string; readonly args: readonly string[]; text: string } {
  const name = reader.take();
  if (!reader.takes('(')) return { name, args: [], text: name };
  const args = reader.next === ')' ? [] : reader.list(() => reader.take());
  reader.expect(')');
  return { name, args, text: `${name}(${args.join(', ')})` };
}

function stats(reader: Reader, lines: readonly LogLine[]): Row[] {
  const aggregates = reader.list(() => column(reader));
  const groups = reader.takes('by') ? reader.list(() => column(reader)) : [];
  const found = Map.groupBy(lines, (line) =>
    // All lines of a test are of one time.
    JSON.stringify(groups.map(({ name }) => (name === 'bin' ? 'now' : (fieldOf(line, name) ?? null)))),
  );
  return [...found].map(([key, members]) => {
    const values: Value[] = JSON.parse(key);
    const grouped = groups.map(({ text }, index) => [text, values[index] ?? undefined]);
    const counted = aggregates.map(({ name, args: [field = ''], text }) => {
      const aggregate = AGGREGATES[name];
      if (aggregate === undefined) throw new Error(`no aggregate: ${name}`);
      return [text, aggregate(members, field)];
    });
    return Object.fromEntries([...grouped, ...counted]);
  });
}

/** What the query gives over these lines: rows of `stats`, or the lines that pass. @throws Error for what it cannot read */
export function runInsights(query: string, lines: readonly LogLine[]): readonly Row[] {
  const reader = new Reader(query);
  let passing: readonly LogLine[] = lines;
  do {
    const command = reader.take();
    if (command === 'filter') {
      const test = condition(reader);
      passing = passing.filter(test);
    } else if (command === 'stats') passing = stats(reader, passing);
    else throw new Error(`no command: ${command}`);
  } while (reader.takes('|'));
  if (reader.next !== undefined) throw new Error(`not read: ${reader.next}`);
  return passing;
}
