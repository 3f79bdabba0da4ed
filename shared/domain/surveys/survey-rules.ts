import { MOST_REASONS_EVER } from './reasons.ts';
import { MOST_SEGMENTS_EVER, MOST_VALUES_EVER, sourceOf } from './segments.ts';
import { definitionOf, orderAfter, type Survey, type SurveyContent, type SurveyTexts } from './survey.ts';
import {
  applyUpdate,
  hasTooManyReasons,
  isOverfull,
  listResourced,
  type SurveyDraft,
  type SurveyPlan,
} from './survey-plan.ts';

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
    `The surveys would not fit into one reply: ${total} of at most ${PAYLOAD_BYTES} bytes, where a quotation mark takes four. ` +
    `Archive or shorten some; the largest are ${largest.join(', ')}.`
  );
}

export interface BrokenRule {
  /** Absent if the rule concerns all surveys together. */
  readonly slug?: string;
  readonly field?: 'type' | 'segments' | 'reasons';
  readonly message: string;
}

export function brokenRules(surveys: readonly Survey[], plan: SurveyPlan, now: number): BrokenRule[] {
  const { created, updated, archived } = plan;
  const count = surveys.length + created.length;
  const retyped = updated.filter(({ before, after }) => before.content.type !== after.content.type);
  const overfull = updated.filter((update) => isOverfull(applyUpdate(update, now)));
  const unaccountable = updated.filter((update) => hasTooManyReasons(applyUpdate(update, now)));
  const changed = [...updated, ...archived];
  const replaced = new Set(changed.map(({ before }) => before));
  const kept = surveys.filter((survey) => !replaced.has(survey));
  const unfit = unservable([...kept, ...changed.map(({ after }) => after), ...created]);
  return [
    ...(count > MOST_SURVEYS
      ? [
          {
            message: `The project would have ${count} surveys, archived ones too; at most ${MOST_SURVEYS} fit.`,
          },
        ]
      : []),
    ...retyped.map(({ before: { content } }) => ({
      slug: content.slug,
      field: 'type' as const,
      message: `a survey keeps its type (${content.type}), as its answers do; use another slug.`,
    })),
    ...updated.flatMap((update) =>
      listResourced(update).map((segment) => ({
        slug: update.before.content.slug,
        field: 'segments' as const,
        message: `segments.${segment.name} keeps what it is from (${sourceOf(segment)}), as what was counted does; use another name.`,
      })),
    ),
    ...overfull.map(({ before: { content } }) => ({
      slug: content.slug,
      field: 'segments' as const,
      message: `its results cannot tell more segments apart, those that were declared before included (at most ${MOST_SEGMENTS_EVER}, of ${MOST_VALUES_EVER} values each).`,
    })),
    ...unaccountable.map(({ before: { content } }) => ({
      slug: content.slug,
      field: 'reasons' as const,
      message: `a survey can have ${MOST_REASONS_EVER} codes of reasons in its life, those that it no longer lists included; take one of those again.`,
    })),
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

function linksOf({ thanks, locales = {} }: Pick<SurveyContent, 'thanks' | 'locales'>): Map<string, string> {
  const given: [string, SurveyTexts['thanks']][] = [
    ['thanks', thanks],
    ...Object.entries(locales).map(([name, texts]): [string, SurveyTexts['thanks']] => [
      `locales.${name}.thanks`,
      texts.thanks,
    ]),
  ];
  return new Map(
    given.flatMap(([place, thanks]) =>
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
  const had = before === undefined ? new Map<string, string>() : linksOf(before);
  return [...linksOf(content)]
    .filter(([place, url]) => !url.startsWith('https://') && had.get(place) !== url)
    .map(([path]) => ({ path, message: 'must begin with https://' }));
}
