/** What publishing would do, said before it is done. */

import { DAY, HOUR, MINUTE, parseDuration, SECOND } from '../../../shared/domain/duration.ts';
import type { SurveyTexts, TargetingRule } from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { TYPE_TEXTS } from '../../type-texts.ts';
import { SOURCE_WORDS, STATUS_WORDS, timeWords, wordsOfField } from './field-words.ts';

const UNITS: readonly (readonly [number, string])[] = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
];

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** @param milliseconds whole seconds are told in the largest unit that fits, anything else in seconds */
function waitWords(milliseconds: number): string {
  const [size = SECOND, unit = 'second'] = UNITS.find(([each]) => milliseconds % each === 0) ?? [];
  return milliseconds === 0 ? 'no time' : plural(milliseconds / size, unit);
}

const durationWords = (written: unknown): string => {
  const milliseconds = parseDuration(String(written));
  return milliseconds === undefined ? String(written) : waitWords(milliseconds);
};

const quoted = (text: unknown): string => `“${String(text)}”`;

const valueText = (value: unknown): string =>
  value === null ? 'nothing' : value === true ? 'yes' : value === false ? 'no' : String(value);

/** How rules are said; what is looked for follows. */
export const OPERATORS: Readonly<Record<TargetingRule['op'], string>> = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  exists: 'is known',
};

function ruleWords({ trait, op, value }: TargetingRule): string {
  if (op === 'exists') return `${trait} ${value === false ? 'is not known' : 'is known'}`;
  return `${trait} ${OPERATORS[op]} ${[value].flat().map(valueText).join(' or ')}`;
}

function repeatWords(repeat: unknown): string {
  if (repeat === 'session') return 'once per session';
  if (repeat === 'observation') return 'once per message of an assistant';
  if (repeat === 'never' || repeat === undefined) return 'never again';
  if (typeof repeat === 'string') return `after ${durationWords(repeat)}`;
  if (typeof repeat !== 'object' || repeat === null) return String(repeat);
  const after = (wait: unknown) =>
    wait === undefined || wait === 'never' ? 'never' : `after ${durationWords(wait)}`;
  const answered = 'answered' in repeat ? repeat.answered : undefined;
  const dismissed = 'dismissed' in repeat ? repeat.dismissed : undefined;
  return `${after(answered)} if answered, ${after(dismissed)} if closed`;
}

const PLACES: Readonly<Record<string, string>> = {
  corner: 'in a corner of the page',
  inline: 'inside the page',
  banner: 'a banner',
  'bottom-right': 'bottom right',
  'bottom-left': 'bottom left',
  'top-right': 'top right',
  'top-left': 'top left',
  auto: 'automatically',
  manual: 'from your code',
};

function textsWords(texts: SurveyTexts): string {
  const { question, followUpQuestion, endLabels, reasons = {}, thanks, words = {} } = texts;
  const said = [
    ...[question, followUpQuestion, endLabels?.low, endLabels?.high, ...Object.values(reasons)],
    ...[thanks?.text, thanks?.link?.label, ...Object.values(words).flat()],
  ].filter((text) => text !== undefined && text !== '');
  return said.length === 0 ? 'no texts yet' : said.map(quoted).join(', ');
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every text in a value, in its order. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const BY_FIELD: Readonly<Record<string, (value: unknown) => string>> = {
  status: (value) => Object.entries(STATUS_WORDS).find(([name]) => name === value)?.[1] ?? String(value),
  type: (value) => Object.entries(TYPE_TEXTS).find(([name]) => name === value)?.[1].name ?? String(value),
  delayMs: (value) => (typeof value === 'number' ? waitWords(value) : String(value)),
  samplePercent: (value) => `${String(value)}%`,
  repeat: repeatWords,
  'limits.quietPeriod': durationWords,
  'limits.maxResponses': (value) => plural(Number(value), 'response'),
};

/** Whether a value is a time; what is typed may not be one yet. */
const isTime = (field: string, value: string): boolean =>
  field.endsWith('At') && !Number.isNaN(Date.parse(value));

function isRule(value: unknown): value is TargetingRule {
  return (
    isMap(value) && typeof value.trait === 'string' && typeof value.op === 'string' && value.op in OPERATORS
  );
}

/**
 * @param field `limits.quietPeriod`, `locales.de`
 * @param value as a survey file writes it; undefined and null where it is not there
 */
export function valueWords(field: string, value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  const own = BY_FIELD[field];
  if (own !== undefined) return own(value);
  if (field === 'targeting' && Array.isArray(value) && value.every(isRule))
    return value.length === 0 ? 'everyone' : value.map(ruleWords).join(', and ');
  if (field === 'reasons' && Array.isArray(value))
    return value.map((each) => quoted(isMap(each) ? each.label : each)).join(', ');
  if (field.startsWith('locales.') && isMap(value)) return textsWords(value);
  if (field.startsWith('segments.')) {
    const { from, values } = isMap(value) ? value : { from: undefined, values: value };
    return `${textsIn(values).join(', ')}${from === undefined ? '' : ` (${Object.entries(SOURCE_WORDS).find(([name]) => name === from)?.[1] ?? String(from)})`}`;
  }
  if (typeof value === 'string')
    return PLACES[value] ?? (isTime(field, value) ? timeWords(value, true) : quoted(value));
  if (typeof value === 'boolean' || typeof value === 'number') return valueText(value);
  return textsIn(value).map(quoted).join(', ');
}

export interface ChangeWords {
  readonly field: string;
  /** What it is called. */
  readonly name: string;
  /** Undefined where there was nothing. */
  readonly before?: string;
  readonly after?: string;
}

interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** Changes of fields, as a dry run lists them. */
export const changeWords = (changes: readonly FieldChange[]): ChangeWords[] =>
  changes.map(({ field, before, after }) => ({
    field,
    name: wordsOfField(field),
    ...(isThere(before) && { before: valueWords(field, before) }),
    ...(isThere(after) && { after: valueWords(field, after) }),
  }));

/** What a new survey says of itself; what is as it is of every survey goes without saying. */
const TOLD = [
  'status',
  'type',
  'question',
  'followUpQuestion',
  'reasons',
  'targeting',
  'samplePercent',
  'pages',
  'on',
  'repeat',
  'presentation',
  'startsAt',
  'endsAt',
  'thanks',
] as const;

/** A new survey field by field: a dry run knows only that it is made. */
export function newSurveyWords(survey: WrittenSurvey): ChangeWords[] {
  const fields: readonly (readonly [string, unknown])[] = Object.entries(survey);
  const told = TOLD.flatMap((field) => fields.filter(([name]) => name === field));
  const languages = Object.entries(survey.locales ?? {}).map(
    ([tag, texts]) => [`locales.${tag}`, texts] as const,
  );
  const segments = Object.entries(survey.segments ?? {}).map(
    ([name, values]) => [`segments.${name}`, values] as const,
  );
  return changeWords([...told, ...languages, ...segments].map(([field, after]) => ({ field, after })));
}
