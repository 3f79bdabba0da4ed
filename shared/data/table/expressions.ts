import { marshall, type NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import { BoundedMap } from '../../domain/memory.ts';

/** Names may be paths such as `limits.monthlyCap`, whose parent must exist. */
export interface Change {
  /** Undefined leaves an attribute unchanged; null removes it. */
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly setOnce?: Readonly<Record<string, unknown>> | undefined;
  readonly remove?: readonly string[] | undefined;
  /** Absent attributes count as zero or empty. */
  readonly add?: Readonly<Record<string, number | ReadonlySet<unknown>>> | undefined;
  readonly take?: Readonly<Record<string, ReadonlySet<unknown>>> | undefined;
}

/** Attributes are written `#name`, values `:name`. */
export interface Condition {
  readonly text: string;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

export const ABSENT: Condition = { text: 'attribute_not_exists(#pk)' };
export const PRESENT: Condition = { text: 'attribute_exists(#pk)' };
export const CHANGEABLE: Condition = { text: 'attribute_exists(#pk) AND attribute_not_exists(#purgedAt)' };

export const all = (...conditions: readonly Condition[]): Condition => ({
  text: conditions.map(({ text }) => `(${text})`).join(' AND '),
  values: Object.assign({}, ...conditions.map(({ values }) => values)),
});

/** Undefined means that the attribute is absent. */
export function equalTo(values: Readonly<Record<string, unknown>>): Condition {
  const entries = Object.entries(values);
  const text = entries.map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :was_${name}`,
  );
  const present = entries.filter(([, value]) => value !== undefined);
  return {
    text: text.join(' AND '),
    values: Object.fromEntries(present.map(([name, value]) => [`was_${name}`, value])),
  };
}

const MOST_EXPRESSIONS = 200;
const knownNames = new BoundedMap<string, Record<string, string>>(MOST_EXPRESSIONS);

function namesIn(expression: string | undefined): Record<string, string> | undefined {
  if (expression === undefined) return undefined;
  let names = knownNames.get(expression);
  if (names === undefined) {
    const mentioned = expression.match(/#\w+/g) ?? [];
    names = Object.fromEntries(mentioned.map((name) => [name, name.slice(1)]));
    knownNames.set(expression, names);
  }
  return names;
}

function toAttributes(values: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(values).map(([name, value]): [string, NativeAttributeValue] => [
    `:${name}`,
    value,
  ]);
  return entries.length === 0
    ? undefined
    : marshall(Object.fromEntries(entries), { removeUndefinedValues: true });
}

const place = (path: string): string => path.replaceAll(/[^.]+/g, '#$&');
const valueName = (path: string): string => path.replaceAll(/\W/g, '_');

/** For characters that expressions do not allow, such as in `month:2026-11`. */
interface Aliases {
  readonly alias: (path: string) => string;
  readonly names: Record<string, string>;
}

function createAliases(): Aliases {
  const names: Record<string, string> = {};
  return {
    names,
    alias(path) {
      if (!/[^\w.]/.test(path)) return place(path);
      const alias = `#${valueName(path)}`;
      names[alias] = path;
      return alias;
    },
  };
}

interface WriteExpression {
  readonly UpdateExpression: string;
  readonly ConditionExpression: string | undefined;
  readonly ExpressionAttributeNames: Record<string, string> | undefined;
  readonly ExpressionAttributeValues: ReturnType<typeof toAttributes>;
}

export function updateExpression(change: Change, when?: Condition): WriteExpression {
  const { alias, names } = createAliases();
  const values: Record<string, unknown> = { ...when?.values };
  const bind = (prefix: string, path: string, value: unknown): string => {
    const name = `${prefix}_${valueName(path)}`;
    values[name] = value;
    return `:${name}`;
  };
  const set = Object.entries(change.set ?? {}).filter(([, value]) => value !== undefined);
  const removed = [
    ...set.filter(([, value]) => value === null).map(([path]) => path),
    ...(change.remove ?? []),
  ];
  const clauses = {
    SET: [
      ...set
        .filter(([, value]) => value !== null)
        .map(([path, value]) => `${alias(path)} = ${bind('set', path, value)}`),
      ...Object.entries(change.setOnce ?? {}).map(
        ([path, value]) => `${alias(path)} = if_not_exists(${alias(path)}, ${bind('once', path, value)})`,
      ),
    ],
    REMOVE: removed.map(alias),
    ADD: Object.entries(change.add ?? {}).map(
      ([path, value]) => `${alias(path)} ${bind('add', path, value)}`,
    ),
    DELETE: Object.entries(change.take ?? {}).map(
      ([path, value]) => `${alias(path)} ${bind('take', path, value)}`,
    ),
  };
  const text = Object.entries(clauses)
    .filter(([, parts]) => parts.length > 0)
    .map(([verb, parts]) => `${verb} ${parts.join(', ')}`)
    .join(' ');
  return {
    UpdateExpression: text,
    ConditionExpression: when?.text,
    ExpressionAttributeNames: { ...namesIn(text), ...namesIn(when?.text), ...names },
    ExpressionAttributeValues: toAttributes(values),
  };
}

export function conditionExpression(when: Condition | undefined) {
  return {
    ConditionExpression: when?.text,
    ExpressionAttributeNames: namesIn(when?.text),
    ExpressionAttributeValues: toAttributes(when?.values ?? {}),
  };
}

/** Either `prefix` or inclusive bounds. */
export interface SortKeyRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly prefix?: string | undefined;
}

export function queryExpression(
  keys: { readonly partitionKey: string; readonly sortKey: string },
  partition: string,
  { from, to, prefix }: SortKeyRange,
  attributes: readonly string[] | undefined,
) {
  const range =
    prefix !== undefined
      ? ' AND begins_with(#sort, :prefix)'
      : from !== undefined && to !== undefined
        ? ' AND #sort BETWEEN :from AND :to'
        : from !== undefined
          ? ' AND #sort >= :from'
          : to !== undefined
            ? ' AND #sort <= :to'
            : '';
  const projection = attributes?.map((name) => `#${name}`).join(', ');
  return {
    KeyConditionExpression: `#partition = :partition${range}`,
    ProjectionExpression: projection,
    ExpressionAttributeNames: {
      ...namesIn(projection),
      '#partition': keys.partitionKey,
      ...(range !== '' && { '#sort': keys.sortKey }),
    },
    ExpressionAttributeValues: {
      ':partition': { S: partition },
      ...(from !== undefined && { ':from': { S: from } }),
      ...(to !== undefined && { ':to': { S: to } }),
      ...(prefix !== undefined && { ':prefix': { S: prefix } }),
    },
  };
}
