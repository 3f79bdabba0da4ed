/** Schemas, stored attributes and every view of an answer derive from this table. */

type ValueKind = 'rating' | 'text' | 'flag' | 'reasons' | 'answers' | 'traits' | 'identityKind' | 'labels';

interface Field {
  readonly value: ValueKind;
  /** The sources of the field. `form` is the form of a link; `token` is the server that mints the token. */
  readonly sent: readonly ('page' | 'server' | 'revision' | 'form' | 'import' | 'token')[];
  /** The effect of a withdrawal on the field. `counted`: results depend on it. `redacted`: redaction applies to it. */
  readonly stored: readonly ['removed' | 'kept', ...('counted' | 'redacted')[]];
  /** The views that contain the field. `eventTexts`: in events, but only in stages with `includeText`. */
  readonly shown: readonly ('export' | 'comments' | 'scores' | 'events' | 'eventTexts')[];
}

export const ANSWER_FIELDS = {
  rating: {
    value: 'rating',
    sent: ['page', 'server', 'revision', 'form', 'import'],
    stored: ['removed', 'counted'],
    shown: ['export', 'comments', 'scores', 'events'],
  },
  text: {
    value: 'text',
    sent: ['page', 'server', 'revision', 'form', 'import'],
    stored: ['removed', 'counted', 'redacted'],
    shown: ['export', 'comments', 'scores', 'eventTexts'],
  },
  followUpRequested: {
    value: 'flag',
    sent: ['page', 'server', 'revision', 'form'],
    stored: ['removed', 'counted'],
    shown: ['export', 'comments', 'events'],
  },
  contact: {
    value: 'text',
    sent: ['page', 'server', 'revision', 'form'],
    stored: ['removed'],
    shown: ['export', 'comments', 'eventTexts'],
  },
  reasons: {
    value: 'reasons',
    sent: ['page', 'server', 'revision', 'form'],
    stored: ['removed', 'counted'],
    shown: ['export', 'comments', 'scores', 'events'],
  },
  answers: {
    value: 'answers',
    sent: ['page', 'server', 'revision', 'form', 'import'],
    stored: ['removed', 'counted'],
    shown: ['export', 'comments', 'scores', 'events'],
  },
  traits: {
    value: 'traits',
    sent: ['page', 'server'],
    stored: ['removed', 'counted'],
    shown: ['export', 'comments', 'eventTexts'],
  },
  identityKind: {
    value: 'identityKind',
    sent: ['page', 'server'],
    stored: ['kept', 'counted'],
    shown: ['export', 'comments', 'scores', 'events'],
  },
  taskType: {
    value: 'text',
    sent: ['page', 'server', 'token'],
    stored: ['kept', 'counted'],
    shown: ['export', 'comments', 'scores', 'events'],
  },
  labels: {
    value: 'labels',
    sent: ['token'],
    stored: ['kept', 'counted'],
    shown: ['export', 'comments', 'scores', 'events'],
  },
  channel: {
    value: 'text',
    sent: ['server'],
    stored: ['kept', 'counted'],
    shown: ['export', 'comments', 'scores', 'events'],
  },
} as const satisfies Readonly<Record<string, Field>>;

type Fields = typeof ANSWER_FIELDS;
export type FieldName = keyof Fields;
export type FieldUse = Field['sent' | 'stored' | 'shown'][number];
export type KindOf<Name extends FieldName> = Fields[Name]['value'];
export type FieldsIn<Use extends FieldUse> = {
  [Name in FieldName]: Use extends Fields[Name]['sent' | 'stored' | 'shown'][number] ? Name : never;
}[FieldName];

const isName = (name: string): name is FieldName => Object.hasOwn(ANSWER_FIELDS, name);
export const FIELD_NAMES: readonly FieldName[] = Object.keys(ANSWER_FIELDS).filter(isName);

export function fieldsIn<Use extends FieldUse>(...wanted: readonly Use[]): readonly FieldsIn<Use>[] {
  return FIELD_NAMES.filter((name): name is FieldsIn<Use> => {
    const { sent, stored, shown }: Field = ANSWER_FIELDS[name];
    const uses: readonly FieldUse[] = [...sent, ...stored, ...shown];
    return wanted.some((use) => uses.includes(use));
  });
}

type Picked<From, Name extends PropertyKey> = From extends unknown ? Pick<From, Name & keyof From> : never;

export function pickFields<Name extends FieldName, From extends object>(
  names: readonly Name[],
  from: From,
): Picked<From, Name>;
export function pickFields(names: readonly string[], from: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

type OrNull<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;
export type Told<From, Use extends FieldUse> = From extends unknown
  ? { [Name in FieldsIn<Use>]: Name extends keyof From ? OrNull<From[Name]> : null }
  : never;

export function tellFields<Use extends FieldUse, From extends object>(use: Use, from: From): Told<From, Use>;
export function tellFields(use: FieldUse, from: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(fieldsIn(use).map((name) => [name, from[name] ?? null]));
}
