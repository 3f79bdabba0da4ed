import {
  hasScale,
  SURVEY_STATUSES,
  SURVEY_TYPES,
  type SurveyType,
  type SurveyWords,
} from '../../../shared/domain/surveys/survey.ts';
import { fieldsBetween, type WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { TYPE_TEXTS } from '../../type-texts.ts';
import { type DescribedAudience, describeAudience } from './audience.ts';
import { FIRST_CHOICES, fittingQuestions } from './questions.ts';
import { fittingEntries } from './rating-entries.ts';

type Removable<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Removable<Value[Name]> | undefined }
    : Value;

/** Undefined removes a field or a part of one. */
export type Patch = Partial<Removable<WrittenSurvey>>;

/** Fields that are removed when they become empty. A new language stays, although it has no texts yet. */
const NOTHING_WHEN_EMPTY: ReadonlySet<string> = new Set([
  'limits',
  'words',
  'segments',
  'reasons',
  'choices',
  'questions',
  'targeting',
]);

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null;

function tidy(value: unknown): unknown {
  if (!isMap(value) || Array.isArray(value)) return value;
  const kept = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const tidied = tidy(part);
    const isEmpty = isMap(tidied) && Object.keys(tidied).length === 0 && NOTHING_WHEN_EMPTY.has(name);
    return tidied === undefined || isEmpty ? [] : [[name, tidied]];
  });
  return Object.fromEntries(kept);
}

const isOneOf = (names: readonly string[], value: unknown): boolean => names.some((name) => name === value);

/** Checks only the shape; `problemsIn` finds other problems. */
export const isWrittenSurvey = (value: unknown): value is WrittenSurvey =>
  isMap(value) &&
  'slug' in value &&
  typeof value.slug === 'string' &&
  'question' in value &&
  typeof value.question === 'string' &&
  'type' in value &&
  isOneOf(SURVEY_TYPES, value.type) &&
  'status' in value &&
  isOneOf(SURVEY_STATUSES, value.status);

/** These do not apply to a survey that the person opens. */
const UNASKED = { on: undefined, delayMs: undefined, samplePercent: undefined, repeat: undefined };

export function changed(survey: WrittenSurvey, patch: Patch): WrittenSurvey {
  const { trigger, limits } = { ...survey, ...patch };
  const unasked = { ...UNASKED, limits: { maxResponses: limits?.maxResponses } };
  const next = tidy({ ...survey, ...patch, ...(trigger === 'person' && unasked) });
  return isWrittenSurvey(next) ? next : survey;
}

/** Returns `nps`, or `nps-2` if it is taken. */
export function freeSlug(wanted: string, taken: readonly string[]): string {
  let slug = wanted;
  for (let count = 2; taken.includes(slug); count++) slug = `${wanted}-${count}`;
  return slug;
}

export const newSurvey = (type: SurveyType, taken: readonly string[]): WrittenSurvey => ({
  slug: freeSlug(type, taken),
  type,
  question: TYPE_TEXTS[type].question,
  ...(type === 'choice' && { choices: FIRST_CHOICES }),
  status: 'draft',
  presentation: 'corner',
  trigger: 'auto',
});

export const duplicateOf = (survey: WrittenSurvey, taken: readonly string[]): WrittenSurvey =>
  changed(survey, {
    slug: freeSlug(`${survey.slug.slice(0, 59)}-copy`, taken),
    status: 'draft',
    startsAt: undefined,
    endsAt: undefined,
  });

/** Changes the type. Removes what the type does not have. Keeps the question and the slug if they were edited. */
export function retyped(before: WrittenSurvey, type: SurveyType, taken: readonly string[]): WrittenSurvey {
  const survey = changed(before, fittingEntries(before, type));
  const unfit = ({ words }: { readonly words?: SurveyWords | undefined }) => ({
    words: { ...words, values: undefined },
    ...(!hasScale(type) && { endLabels: undefined }),
    ...(type === 'open' && { followUpQuestion: undefined, reasons: undefined }),
  });
  const locales = Object.entries(survey.locales ?? {}).map(([tag, texts]) => {
    const { choices, ...others } = { ...texts, ...unfit(texts) };
    return [tag, { ...others, ...(type === 'choice' && { choices }) }] as const;
  });
  return changed(survey, {
    ...unfit(survey),
    type,
    questions: fittingQuestions(survey, type),
    choices: type === 'choice' ? (survey.choices ?? FIRST_CHOICES) : undefined,
    ...(type !== 'choice' && { shuffle: undefined }),
    ...(locales.length > 0 && { locales: Object.fromEntries(locales) }),
    ...(survey.question === TYPE_TEXTS[survey.type].question && { question: TYPE_TEXTS[type].question }),
    ...(survey.slug === freeSlug(survey.type, taken) && { slug: freeSlug(type, taken) }),
  });
}

/** The fields that a return to the old type would not restore. */
export const lostBetween = (
  before: WrittenSurvey,
  after: WrittenSurvey,
  taken: readonly string[],
): string[] => fieldsBetween(before, retyped(after, before.type, taken)).map(({ field }) => field);

/** The patch that turns one survey into another. */
export const replacing = (survey: WrittenSurvey, next: WrittenSurvey): Patch => ({
  ...Object.fromEntries(Object.keys(survey).map((name) => [name, undefined])),
  ...next,
});

const isBegun = (text: unknown): boolean => text === '' || (Array.isArray(text) && text.length === 0);

/** Leaves out conditions that are not complete yet. */
export function describeTyped({ targeting, pages, on, ...survey }: WrittenSurvey): DescribedAudience {
  const whole = targeting?.filter(({ trait, value }) => trait !== '' && !isBegun(value)) ?? [];
  const named = pages?.filter((page) => page !== '') ?? [];
  return describeAudience({
    ...survey,
    ...(whole.length > 0 && { targeting: whole }),
    ...(named.length > 0 && { pages: named }),
    ...(on !== undefined && on.event !== '' && { on }),
  });
}
