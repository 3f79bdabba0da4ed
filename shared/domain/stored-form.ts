/** Types, changes and row schemas of settings are derived from these forms. */

export type Form<Value> = (value: unknown) => value is Value;
type Forms = Readonly<Record<string, Form<unknown>>>;
export type ValueOf<Checked> = Checked extends Form<infer Value> ? Value : never;

type Stored<Checks extends Forms> = {
  readonly [Name in keyof Checks as undefined extends ValueOf<Checks[Name]> ? never : Name]: ValueOf<
    Checks[Name]
  >;
} & {
  readonly [Name in keyof Checks as undefined extends ValueOf<Checks[Name]> ? Name : never]?: ValueOf<
    Checks[Name]
  >;
};

type Changed<Fields> = {
  readonly [Name in keyof Fields]?:
    | (undefined extends Fields[Name] ? Fields[Name] | null : Fields[Name])
    | undefined;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = (value: unknown): value is string => typeof value === 'string';
export const number = (value: unknown): value is number => typeof value === 'number';
export const flag = (value: unknown): value is boolean => typeof value === 'boolean';

export const oneOf =
  <const Choice extends string>(choices: readonly Choice[]) =>
  (value: unknown): value is Choice =>
    choices.some((choice) => choice === value);

export const listOf =
  <Value>(is: Form<Value>) =>
  (value: unknown): value is readonly Value[] =>
    Array.isArray(value) && value.every(is);

export const optional =
  <Value>(is: Form<Value>) =>
  (value: unknown): value is Value | undefined =>
    value === undefined || is(value);

export const shape =
  <const Checks extends Forms>(checks: Checks) =>
  (value: unknown): value is Stored<Checks> =>
    isRecord(value) && Object.entries(checks).every(([name, is]) => is(value[name]));

/** `undefined` keeps a field; `null` clears an optional one. */
export const changeOf =
  <const Checks extends Forms>(checks: Checks) =>
  (value: unknown): value is Changed<Stored<Checks>> =>
    isRecord(value) &&
    Object.entries(value).every(([name, field]) =>
      field === null
        ? checks[name]?.(undefined) === true
        : field === undefined || checks[name]?.(field) === true,
    );
