/** What holds of a project's surveys together, whoever changes them: the command line and the console call this. */

import { MOST_REASONS_EVER } from './reasons.ts';
import { MOST_SEGMENTS_EVER, MOST_VALUES_EVER, sourceOf } from './segments.ts';
import { definitionOf, orderAfter, type Survey } from './survey.ts';
import {
  applyUpdate,
  hasTooManyReasons,
  isOverfull,
  listResourced,
  type SurveyDraft,
  type SurveyPlan,
} from './survey-plan.ts';

/** Archived ones too. */
export const MOST_SURVEYS = 500;

/** AWS quota: the payload of a synchronous invocation, request and response each, 6 MB. */
const PAYLOAD_BYTES = 6 * 1_024 * 1_024;
/** Status and headers, and the suppressed ids of surveys that are no longer served. */
const ENVELOPE_BYTES = 16 * 1_024;
/** A survey's show-token for the longest respondent id, with the survey's id: bootstrap sends both. */
const TOKEN_BYTES = 512;
/** An id is made when a survey is created; all are of this length. */
const SOME_ID = 'sv_0123456789abcdef';
const LARGEST_SHOWN = 5;

export type Served = Pick<SurveyDraft, 'content' | 'repeat' | 'status'>;

/** The bytes of a survey in bootstrap's reply as Lambda sends it: JSON in a string of JSON. */
function servedBytes({ content, repeat }: Served): number {
  const definition = JSON.stringify(definitionOf({ id: SOME_ID, content, repeat }));
  return Buffer.byteLength(JSON.stringify(definition)) + TOKEN_BYTES;
}

/**
 * Says so of surveys that bootstrap could not send in one reply. A draft, a paused and an ended survey count as well:
 * each can become active without another check of the file.
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
  /** Of the survey that breaks it; absent where all of them do together. */
  readonly slug?: string;
  readonly field?: 'type' | 'segments' | 'reasons';
  readonly message: string;
}

/**
 * Why a plan cannot be carried out: every reason.
 * @param now milliseconds since the epoch
 */
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

/** A project's surveys, and the ids that say in which order they are asked. */
export interface SurveySet {
  readonly surveys: readonly Survey[];
  readonly surveyOrder: readonly string[];
}

/** Ids of the surveys in the order that was said last. */
const orderOf = ({ surveys, surveyOrder }: SurveySet): string[] => orderAfter([], surveys, surveyOrder);

/** In the order that was said last; the others behind. */
export function inSaidOrder(set: SurveySet): Survey[] {
  const ranks = new Map(orderOf(set).map((id, rank) => [id, rank]));
  return [...set.surveys].sort((a, b) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0));
}

/**
 * The order once these slugs come first, as they are listed.
 * @param created surveys that are not in the set yet
 */
export function orderBySlugs(
  { surveys, surveyOrder }: SurveySet,
  slugs: readonly string[],
  created: readonly Survey[] = [],
): string[] {
  const idBySlug = new Map([...surveys, ...created].map(({ id, content }) => [content.slug, id]));
  const ids = slugs.map((slug) => idBySlug.get(slug)).filter((id) => id !== undefined);
  return orderAfter(ids, surveys, surveyOrder);
}

/** The order once a file with these surveys is applied. */
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

/** Whether these slugs, first as they are listed, are another order than before. */
export const isReorderingBySlugs = (set: SurveySet, slugs: readonly string[]): boolean =>
  orderOf(set).join() !== orderBySlugs(set, slugs).join();

/** Whether a file with these surveys lists those that are there already in another order than before. */
export const isReordering = (set: SurveySet, wanted: readonly Pick<SurveyDraft, 'content'>[]): boolean =>
  isReorderingBySlugs(
    set,
    wanted.map(({ content }) => content.slug),
  );
