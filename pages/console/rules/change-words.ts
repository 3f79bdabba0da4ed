import { DAY, HOUR, MINUTE, parseDuration, SECOND } from '../../../shared/domain/duration.ts';
import { thanksList } from '../../../shared/domain/surveys/by-rating.ts';
import type { SurveyEvent } from '../../../shared/domain/surveys/conditions.ts';
import type { SurveyTexts, TargetingRule } from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { TYPE_TEXTS } from '../../type-texts.ts';
import { SOURCE_WORDS, STATUS_WORDS, timeWords, wordsOfField } from './field-words.ts';

const UNITS = [
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
] as const;

export const plural = (count: number, unit: string): string =>
  `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`;

/** Uses the largest unit that fits: `90 days`, `1.5 seconds`. */
export function waitWords(milliseconds: number): string {
  if (milliseconds === 0) return 'none';
  const [size, unit] = UNITS.find(([each]) => milliseconds % each === 0) ?? [SECOND, 'second'];
  return plural(milliseconds / size, unit);
}

export function durationWords(written: unknown): string {
  const milliseconds = parseDuration(String(written));
  return milliseconds === undefined ? String(written) : waitWords(milliseconds);
}

/** Joins parts like `a or b`, or `a, b, or c`. */
export function listed(parts: readonly string[], word: 'and' | 'or' | 'or on'): string {
  const last = parts.at(-1) ?? '';
  const comma = parts.length > 2 ? ',' : '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')}${comma} ${word} ${last}`;
}

const quoted = (text: unknown): string => `“${String(text)}”`;

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

/** Quotes texts that could be read as another value or as part of the sentence. */
const operandWords = (value: unknown): string =>
  value === null || value === undefined
    ? 'empty'
    : typeof value === 'string' && /^(true|false|empty|[^\p{L}].*|.*[^\p{L}\p{N}_.-].*|)$/su.test(value)
      ? quoted(value)
      : String(value);

/** Describes a rule, such as `plan is one of pro or team`. */
export function ruleWords({ trait, op, value }: TargetingRule): string {
  if (op === 'exists') return `${trait} ${value === false ? 'is not known' : 'is known'}`;
  return `${trait} ${OPERATORS[op]} ${listed([value].flat().map(operandWords), 'or')}`;
}

/** Returns `once`, or `again …`. */
export function repeatWords(repeat: unknown = 'never'): string {
  if (repeat === 'session') return 'once per session';
  if (repeat === 'observation') return 'once per message';
  if (repeat === 'never') return 'once';
  if (typeof repeat !== 'object' || repeat === null) return `again after ${durationWords(repeat)}`;
  const { answered = 'never', dismissed = 'never' }: { answered?: unknown; dismissed?: unknown } = repeat;
  const waits = [
    { what: 'a response', wait: answered },
    { what: 'a dismissal', wait: dismissed },
  ];
  const after = waits.flatMap(({ what, wait }) =>
    wait === 'never' ? [] : [`${durationWords(wait)} after ${what}`],
  );
  const never = waits.flatMap(({ what, wait }) => (wait === 'never' ? [`, but never after ${what}`] : []));
  return after.length === 0 ? 'once' : `again ${listed(after, 'or')}${never.join('')}`;
}

const PLACES: Readonly<Record<string, string>> = {
  corner: 'in a corner',
  inline: 'inside the page',
  banner: 'as a banner',
  'bottom-right': 'bottom right',
  'bottom-left': 'bottom left',
  'top-right': 'top right',
  'top-left': 'top left',
  auto: 'automatically',
  manual: 'when your code shows it',
  person: 'when the person opens it',
};

function textsWords(texts: SurveyTexts): string {
  const { question, followUpQuestion, followUps = [], endLabels, thanks, words = {} } = texts;
  const { reasons = {}, choices = {}, questions = {} } = texts;
  const said = [
    ...[question, followUpQuestion, ...followUps.map((each) => each.question)],
    ...[endLabels?.low, endLabels?.high, ...Object.values(reasons), ...Object.values(choices)],
    ...textsIn(questions),
    ...thanksList(thanks).flatMap(({ text, link }) => [text, link?.label]),
    ...Object.values(words).flat(),
  ].filter((text) => text !== undefined && text !== '');
  return said.length === 0 ? 'no translations yet' : said.map(quoted).join(', ');
}

/** Describes an event, such as `2 seconds after order-paid has happened 3 times`. */
export function eventWords({ event, after, times = 1 }: Partial<Record<keyof SurveyEvent, unknown>>): string {
  const wait = after === undefined ? '' : `${durationWords(after)} `;
  return `${wait}after ${String(event)}${times === 1 ? '' : ` has happened ${String(times)} times`}`;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const BY_FIELD: Readonly<Record<string, (value: unknown) => string>> = {
  status: (value) => Object.entries(STATUS_WORDS).find(([name]) => name === value)?.[1] ?? String(value),
  type: (value) => Object.entries(TYPE_TEXTS).find(([name]) => name === value)?.[1].name ?? String(value),
  delayMs: (value) =>
    value === 0 ? 'no delay' : typeof value === 'number' ? waitWords(value) : String(value),
  samplePercent: (value) => `${String(value)}%`,
  repeat: repeatWords,
  'limits.quietPeriod': durationWords,
  'limits.maxResponses': (value) => (value === 0 ? 'no limit' : plural(Number(value), 'response')),
  on: (value) => (isMap(value) ? eventWords(value) : String(value)),
};

/** Describes ratings, such as `ratings 0 to 6` or `rating 3`. */
export function ratingWords(ratings: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const rating of ratings) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === rating - 1) last[1] = rating;
    else runs.push([rating, rating]);
  }
  const parts = runs.flatMap(([from, to]) =>
    from === to ? [`${from}`] : to === from + 1 ? [`${from}`, `${to}`] : [`${from} to ${to}`],
  );
  return `${ratings.length === 1 ? 'rating' : 'ratings'} ${listed(parts, 'and')}`;
}

function byRatingWords(entries: readonly unknown[]): string {
  const said = entries.filter(isMap).map(({ ratings, ...texts }) => {
    const whom = Array.isArray(ratings) ? ratingWords(ratings.map(Number)) : 'other ratings';
    return `${textsIn(texts).map(quoted).join(', ')} (${whom})`;
  });
  return said.join(', ');
}

/** Describes a reason or a choice, such as `“Too expensive” (low)`. */
function codedWords(value: unknown): string {
  if (!isMap(value)) return quoted(value);
  const marks = [value.low === true && 'low', value.words === true && 'asks for a comment'].filter(Boolean);
  return `${quoted(value.label)}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
}

/** Describes a question, such as `“What for?” (“Reports”, “Alerts”, rating 9)`. */
function questionWords(value: unknown): string {
  if (!isMap(value)) return quoted(value);
  const { text, kind, choices, min, max, endLabels, ratings } = value;
  const said = [
    kind === 'scale' ? `${min} to ${max}` : kind === 'text' ? 'text' : `choose ${kind}`,
    ...(Array.isArray(choices) ? choices.map(codedWords) : textsIn(endLabels).map(quoted)),
    ...(Array.isArray(ratings) ? [ratingWords(ratings.map(Number))] : []),
  ];
  return `${quoted(text)} (${said.join(', ')})`;
}

const isTime = (field: string, value: string): boolean =>
  field.endsWith('At') && !Number.isNaN(Date.parse(value));

function isRule(value: unknown): value is TargetingRule {
  return (
    isMap(value) && typeof value.trait === 'string' && typeof value.op === 'string' && value.op in OPERATORS
  );
}

/** @param field a path such as `limits.quietPeriod` or `locales.de` */
export function valueWords(field: string, value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  const own = BY_FIELD[field];
  if (own !== undefined) return own(value);
  if (field === 'targeting' && Array.isArray(value) && value.every(isRule))
    return value.length === 0 ? 'everyone' : listed(value.map(ruleWords), 'and');
  if (['followUps', 'thanks'].includes(field) && Array.isArray(value)) return byRatingWords(value);
  if (['reasons', 'choices'].includes(field) && Array.isArray(value)) return value.map(codedWords).join(', ');
  if (field === 'questions' && Array.isArray(value)) return value.map(questionWords).join('; ');
  if (field.startsWith('locales.') && isMap(value)) return textsWords(value);
  if (field.startsWith('segments.')) {
    const { from, values } = isMap(value) ? value : { from: undefined, values: value };
    const source = Object.entries(SOURCE_WORDS).find(([name]) => name === from)?.[1];
    return textsIn(values).join(', ') + (source === undefined ? '' : ` (${source.toLowerCase()})`);
  }
  if (typeof value === 'string')
    return PLACES[value] ?? (isTime(field, value) ? timeWords(value, true) : quoted(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  return textsIn(value).map(quoted).join(', ');
}

export interface ChangeWords {
  readonly field: string;
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
}

interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

export const changeWords = (changes: readonly FieldChange[]): ChangeWords[] =>
  changes.map(({ field, before, after }) => ({
    field,
    name: wordsOfField(field),
    ...(isThere(before) && { before: valueWords(field, before) }),
    ...(isThere(after) && { after: valueWords(field, after) }),
  }));

const TOLD = [
  'status',
  'type',
  'question',
  'followUpQuestion',
  'followUps',
  'choices',
  'shuffle',
  'reasons',
  'questions',
  'targeting',
  'samplePercent',
  'pages',
  'trigger',
  'on',
  'repeat',
  'presentation',
  'startsAt',
  'endsAt',
  'thanks',
] as const;

export function newSurveyWords(survey: WrittenSurvey): ChangeWords[] {
  const fields: readonly (readonly [string, unknown])[] = Object.entries(survey);
  const told = TOLD.flatMap((field) => fields.filter(([name, value]) => name === field && value !== 'auto'));
  const languages = Object.entries(survey.locales ?? {}).map(
    ([tag, texts]) => [`locales.${tag}`, texts] as const,
  );
  const segments = Object.entries(survey.segments ?? {}).map(
    ([name, values]) => [`segments.${name}`, values] as const,
  );
  return changeWords([...told, ...languages, ...segments].map(([field, after]) => ({ field, after })));
}
