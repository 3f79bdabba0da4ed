import { isPlain } from '../escapes.ts';
import { MOST_CHOICES_EVER } from './choices.ts';
import { isRetyped, knownQuestions, MOST_CODES_EVER, MOST_QUESTIONS_EVER } from './questions.ts';
import { MOST_REASONS_EVER } from './reasons.ts';
import { MOST_SEGMENTS_EVER, MOST_VALUES_EVER, sourceOf } from './segments.ts';
import {
  definitionOf,
  orderAfter,
  type Survey,
  type SurveyContent,
  type SurveyTexts,
  type SurveyThanks,
} from './survey.ts';
import { applyUpdate, listResourced, type SurveyDraft, type SurveyPlan } from './survey-plan.ts';

/** Includes archived surveys. */
export const MOST_SURVEYS = 500;

/** AWS quota: 6 MB per synchronous request and response. */
const PAYLOAD_BYTES = 6 * 1_024 * 1_024;
/** Status, headers, and the ids of suppressed surveys that are not served. */
const ENVELOPE_BYTES = 16 * 1_024;
/** Enough for the longest respondent id. */
const TOKEN_BYTES = 512;
/** All survey ids have this length. */
const SOME_ID = 'sv_0123456789abcdef';
const LARGEST_SHOWN = 5;

export type Served = Pick<SurveyDraft, 'content' | 'repeat' | 'status'>;

/** Lambda sends JSON inside a JSON string. */
function servedBytes({ content, repeat }: Served): number {
  const definition = JSON.stringify(definitionOf({ id: SOME_ID, content, repeat }));
  return Buffer.byteLength(JSON.stringify(definition)) + TOKEN_BYTES;
}

/**
 * Describes the excess if bootstrap cannot send all surveys in one reply. Drafts, paused and ended surveys count,
 * because each can become active without another check.
 */
export function unservable(surveys: readonly Served[]): string | undefined {
  const sizes = surveys
    .filter(({ status }) => status !== 'archived')
    .map((survey) => ({ slug: survey.content.slug, bytes: servedBytes(survey) }))
    .sort((a, b) => b.bytes - a.bytes);
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, ENVELOPE_BYTES);
  if (total <= PAYLOAD_BYTES) return undefined;
  const largest = sizes.slice(0, LARGEST_SHOWN).map(({ slug, bytes }) => `${slug} (${bytes})`);
  return (
    `All surveys together exceed the size limit by ${total - PAYLOAD_BYTES} bytes. ` +
    `Archive surveys or shorten their texts. The largest are ${largest.join(', ')}.`
  );
}

export interface BrokenRule {
  /** Absent if the rule concerns all surveys together. */
  readonly slug?: string;
  readonly field?: 'type' | 'segments' | 'reasons' | 'choices' | 'questions';
  /** Complete sentences. */
  readonly message: string;
}

/** The limits apply because results keep what they counted. */
function overfull({ segments = [] }: Survey): string[] {
  const full = segments.filter(({ values }) => values.length > MOST_VALUES_EVER);
  return [
    segments.length > MOST_SEGMENTS_EVER &&
      `A survey can have ${MOST_SEGMENTS_EVER} different breakdowns over time, including removed ones. This change would make it ${segments.length}. Use an earlier breakdown again, or create another survey.`,
    ...full.map(
      ({ name, values }) =>
        `A breakdown can have ${MOST_VALUES_EVER} different values over time, including removed ones. This change would bring “${name}” to ${values.length} values. Use earlier values again, or create another survey.`,
    ),
  ].filter((each) => each !== false);
}

function brokenQuestions(before: Survey, { content }: Pick<Survey, 'content'>): BrokenRule[] {
  const known = knownQuestions(before);
  const after = knownQuestions({ content, questionsEver: known });
  const retyped = known.filter((question, place) => isRetyped(question, after[place] ?? question));
  const full = after.filter(({ choices = [] }) => choices.length > MOST_CODES_EVER);
  const messages = [
    ...retyped.map(
      ({ id }) =>
        `You cannot change the kind or the scale of the question ${id}, because its answers are already stored. Use a new id instead.`,
    ),
    ...full.map(
      ({ id, choices = [] }) =>
        `A question can have ${MOST_CODES_EVER} different choices over time, including removed ones. This change would bring ${id} to ${choices.length}. Use earlier choices again, or a new id.`,
    ),
    after.length > MOST_QUESTIONS_EVER &&
      `A survey can have ${MOST_QUESTIONS_EVER} different questions over time, including removed ones. This change would make it ${after.length}. Use earlier questions again, or create another survey.`,
  ];
  const { slug } = before.content;
  return messages.flatMap((message) => (message ? [{ slug, field: 'questions', message }] : []));
}

export function brokenRules(surveys: readonly Survey[], plan: SurveyPlan, now: number): BrokenRule[] {
  const { created, updated, archived } = plan;
  const count = surveys.length + created.length;
  const retyped = updated.filter(({ before, after }) => before.content.type !== after.content.type);
  const applied = updated.map((update) => ({
    slug: update.before.content.slug,
    survey: applyUpdate(update, now),
  }));
  const changed = [...updated, ...archived];
  const replaced = new Set(changed.map(({ before }) => before));
  const kept = surveys.filter((survey) => !replaced.has(survey));
  const unfit = unservable([...kept, ...changed.map(({ after }) => after), ...created]);
  return [
    ...(count > MOST_SURVEYS
      ? [
          {
            message: `A project can have ${MOST_SURVEYS} surveys, including archived ones. This change would make it ${count}. Change an existing survey instead of creating one.`,
          },
        ]
      : []),
    ...retyped.map(({ before: { content } }) => ({
      slug: content.slug,
      field: 'type' as const,
      message: `You cannot change the type of an existing survey (${content.type}). Create another survey instead.`,
    })),
    ...updated.flatMap((update) =>
      listResourced(update).map((segment) => ({
        slug: update.before.content.slug,
        field: 'segments' as const,
        message: `You cannot change the source of the breakdown ${segment.name} (${sourceOf(segment)}), because its responses are already counted. Add a breakdown with another name instead.`,
      })),
    ),
    ...applied.flatMap(({ slug, survey }) =>
      overfull(survey).map((message) => ({ slug, field: 'segments' as const, message })),
    ),
    ...applied
      .filter(({ survey: { reasonCodes = [] } }) => reasonCodes.length > MOST_REASONS_EVER)
      .map(({ slug, survey: { reasonCodes = [] } }) => ({
        slug,
        field: 'reasons' as const,
        message: `A survey can have ${MOST_REASONS_EVER} different reasons over time, including removed ones. This change would make it ${reasonCodes.length}. Use earlier reasons again, or create another survey.`,
      })),
    ...applied
      .filter(({ survey: { choicesEver = [] } }) => choicesEver.length > MOST_CHOICES_EVER)
      .map(({ slug, survey: { choicesEver = [] } }) => ({
        slug,
        field: 'choices' as const,
        message: `A survey can have ${MOST_CHOICES_EVER} different choices over time, including removed ones. This change would make it ${choicesEver.length}. Use earlier choices again, or create another survey.`,
      })),
    ...updated.flatMap(({ before, after }) => brokenQuestions(before, after)),
    ...(unfit === undefined ? [] : [{ message: unfit }]),
  ];
}

export interface SurveySet {
  readonly surveys: readonly Survey[];
  readonly surveyOrder: readonly string[];
}

const orderOf = ({ surveys, surveyOrder }: SurveySet): string[] => orderAfter([], surveys, surveyOrder);

export function inSaidOrder(set: SurveySet): Survey[] {
  const ranks = new Map(orderOf(set).map((id, rank) => [id, rank]));
  return [...set.surveys].sort((a, b) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0));
}

/** Puts surveys with these slugs first. @param created surveys that are not in the set yet */
export function orderBySlugs(
  { surveys, surveyOrder }: SurveySet,
  slugs: readonly string[],
  created: readonly Survey[] = [],
): string[] {
  const idBySlug = new Map([...surveys, ...created].map(({ id, content }) => [content.slug, id]));
  const ids = slugs.map((slug) => idBySlug.get(slug)).filter((id) => id !== undefined);
  return orderAfter(ids, surveys, surveyOrder);
}

export const orderWith = (
  set: SurveySet,
  wanted: readonly Pick<SurveyDraft, 'content'>[],
  created?: readonly Survey[],
): string[] =>
  orderBySlugs(
    set,
    wanted.map(({ content }) => content.slug),
    created,
  );

export const isReorderingBySlugs = (set: SurveySet, slugs: readonly string[]): boolean =>
  orderOf(set).join() !== orderBySlugs(set, slugs).join();

export const isReordering = (set: SurveySet, wanted: readonly Pick<SurveyDraft, 'content'>[]): boolean =>
  isReorderingBySlugs(
    set,
    wanted.map(({ content }) => content.slug),
  );

type TextPath = readonly (string | number)[];

export function textsIn(value: unknown, path: TextPath = []): [TextPath, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    textsIn(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function unfitness(path: TextPath, text: string): string | undefined {
  if (!isPlain(text)) return 'must not have control characters or direction overrides';
  const { username, password } = (path.at(-1) === 'url' && URL.parse(text)) || { username: '', password: '' };
  return username === '' && password === '' ? undefined : 'must not have a user name or password';
}

/**
 * Texts and links that may not be written. Those that the stored survey already has are accepted.
 * @param written the content and the segments
 */
export const unfitTexts = (
  { content, segments }: Pick<SurveyDraft, 'content' | 'segments'>,
  before: object | undefined,
): readonly { readonly path: TextPath; readonly message: string }[] => {
  const known = new Set(textsIn(before).map(([, text]) => text.trim()));
  return textsIn({ ...content, segments }).flatMap(([path, text]) => {
    const message = known.has(text.trim()) ? undefined : unfitness(path, text);
    return message === undefined ? [] : [{ path, message }];
  });
};

function linksOf({ thanks, locales = {} }: Pick<SurveyContent, 'thanks' | 'locales'>): Map<string, string> {
  const given: [string, SurveyTexts['thanks']][] = [
    ['thanks', thanks],
    ...Object.entries(locales).map(([name, texts]): [string, SurveyTexts['thanks']] => [
      `locales.${name}.thanks`,
      texts.thanks,
    ]),
  ];
  const each = given.flatMap(([place, thanks]): [string, SurveyThanks | undefined][] =>
    Array.isArray(thanks) ? thanks.map((entry, at) => [`${place}[${at}]`, entry]) : [[place, thanks]],
  );
  return new Map(
    each.flatMap(([place, thanks]) =>
      thanks?.link === undefined ? [] : [[`${place}.link.url`, thanks.link.url] as const],
    ),
  );
}

/**
 * A link that is set in a browser must use https, so that nobody can replace the page in transit. A link that a file
 * set before is accepted.
 */
export function unsafeLinks(
  content: SurveyContent,
  before: SurveyContent | undefined,
): readonly { readonly path: string; readonly message: string }[] {
  const had = new Set(before === undefined ? [] : linksOf(before).values());
  return [...linksOf(content)]
    .filter(([, url]) => !url.startsWith('https://') && !had.has(url))
    .map(([path]) => ({ path, message: 'must start with https://' }));
}
