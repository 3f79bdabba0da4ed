/** A survey while somebody edits it: as a survey file writes it, and perhaps not yet whole. */

import { SURVEY_STATUSES, SURVEY_TYPES, type SurveyType } from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { TYPE_TEXTS } from '../../type-texts.ts';
import { type DescribedAudience, describeAudience } from './audience.ts';

/** New values of fields; undefined takes a field away. */
export type Patch = { readonly [Field in keyof WrittenSurvey]?: WrittenSurvey[Field] | undefined };

/** Maps that say nothing when they are empty. A language that has no texts yet is one that is about to have some. */
const NOTHING_WHEN_EMPTY: ReadonlySet<string> = new Set([
  'limits',
  'words',
  'segments',
  'reasons',
  'targeting',
]);

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Without what is undefined, however deep. */
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

/** Whether a value that was kept is a survey at all; whether it is sound, `problemsIn` says. */
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

/** The survey with other values of some fields. */
export function changed(survey: WrittenSurvey, patch: Patch): WrittenSurvey {
  const next = tidy({ ...survey, ...patch });
  return isWrittenSurvey(next) ? next : survey;
}

/** A name that no survey has yet: `nps`, `nps-2`. */
export function freeSlug(wanted: string, taken: readonly string[]): string {
  let slug = wanted;
  for (let count = 2; taken.includes(slug); count++) slug = `${wanted}-${count}`;
  return slug;
}

/**
 * A survey to begin with: a draft that asks nobody twice.
 * @param taken slugs of the project's surveys
 */
export const newSurvey = (type: SurveyType, taken: readonly string[]): WrittenSurvey => ({
  slug: freeSlug(type, taken),
  type,
  question: TYPE_TEXTS[type].question,
  status: 'draft',
  presentation: 'corner',
  trigger: 'auto',
});

/** The same survey under another name, as a draft: what was answered stays with the first. */
export const duplicateOf = (survey: WrittenSurvey, taken: readonly string[]): WrittenSurvey =>
  changed(survey, {
    slug: freeSlug(`${survey.slug.slice(0, 59)}-copy`, taken),
    status: 'draft',
    startsAt: undefined,
    endsAt: undefined,
  });

/** Of another type: what is of the old one's values goes. */
export function retyped(survey: WrittenSurvey, type: SurveyType, taken: readonly string[]): WrittenSurvey {
  const { values: _, ...words } = survey.words ?? {};
  const locales = Object.entries(survey.locales ?? {}).map(([tag, texts]) => {
    const { values: __, ...translated } = texts.words ?? {};
    return [tag, { ...texts, words: translated }] as const;
  });
  return changed(survey, {
    type,
    ...(locales.length > 0 && { locales: Object.fromEntries(locales) }),
    ...(survey.question === TYPE_TEXTS[survey.type].question && { question: TYPE_TEXTS[type].question }),
    ...(survey.slug === freeSlug(survey.type, taken) && { slug: freeSlug(type, taken) }),
    words,
  });
}

const isBegun = (text: unknown): boolean => text === '' || (Array.isArray(text) && text.length === 0);

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
