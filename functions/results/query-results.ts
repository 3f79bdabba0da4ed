/**
 * What a caller, or an operator, asks of results: the numbers of a span of days, and what people wrote in it. A survey or
 * segment that these settings do not know waits for newer ones: reading them again for every mistyped name would cost the
 * reads that bootstrap needs.
 */

import { invalid, isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import {
  COMMENT_PAGE,
  type Comment,
  type CommentsInput,
  type CommentsReply,
  DEFAULT_SPAN_DAYS,
  LONGEST_SPAN_DAYS,
  type ResultsInput,
  type ResultsReply,
} from '../../shared/contract/results-schemas.ts';
import { openCursor, sealCursor } from '../../shared/crypto/cursor.ts';
import { countingOf } from '../../shared/data/results/survey-counting.ts';
import type { Response } from '../../shared/domain/answers/answer.ts';
import { addDays, chooseBucket, countDays, type DaySpan, dayAt } from '../../shared/domain/days.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { segmentResults, sumResults, valueResults } from '../../shared/domain/results/results.ts';
import {
  askedValue,
  placeIn,
  type Segment,
  shownSegments,
  valueAt,
} from '../../shared/domain/surveys/segments.ts';
import { SCALES, type Survey } from '../../shared/domain/surveys/survey.ts';
import { comments, results, type Service, secrets } from '../runtime/compose.ts';
import { knownSurvey } from '../runtime/settings-cache.ts';

/** A question about results: of a route's caller, or of an operator. */
export interface Query<Input> {
  readonly input: Input;
  readonly settings: ProjectSettings;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly service: Service;
}

interface SpanInput {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** @param now milliseconds since the epoch */
function resolveSpan(input: SpanInput, now: number): DaySpan | Refusal {
  const to = input.to ?? dayAt(now);
  const span = { from: input.from ?? addDays(to, 1 - DEFAULT_SPAN_DAYS), to };
  if (span.from > to) return invalid('from', 'must not be after `to`');
  if (countDays(span) > LONGEST_SPAN_DAYS)
    return invalid('from', `at most ${LONGEST_SPAN_DAYS} days at once`);
  return span;
}

interface SegmentInput {
  readonly segment?: string | undefined;
  readonly value?: string | undefined;
}

/** A segment, and the value of it that alone is asked for: null for answers without one. */
interface AskedSegment {
  readonly segment?: Segment;
  readonly value?: string | null;
}

function resolveSegment(
  { segments }: Survey,
  { segment: name, value: text }: SegmentInput,
): AskedSegment | Refusal {
  if (name === undefined) return {};
  const shown = shownSegments(segments);
  const segment = shown.find((each) => each.name === name);
  if (segment === undefined)
    return invalid('segment', `the survey's segments are ${shown.map((each) => each.name).join(', ')}`);
  if (text === undefined) return { segment };
  const value = askedValue(segment, text);
  return value === undefined
    ? invalid('value', 'must be a declared value of the segment, other or null')
    : { segment, value };
}

/** What was answered to a survey over a span of days: one query, and another for a breakdown by a segment. */
export async function queryResults({
  input,
  settings,
  now,
  service,
}: Query<ResultsInput>): Promise<ResultsReply | Refusal> {
  const span = resolveSpan(input, now);
  if (isRefusal(span)) return span;
  const survey = knownSurvey(settings, input);
  if (survey === undefined) return refuse('survey_not_found');
  const { id, content } = survey;
  const { slug, type, question } = content;
  const asked = resolveSegment(survey, input);
  if (isRefusal(asked)) return asked;
  const { segment, value } = asked;

  const { shown: generation } = countingOf(survey, settings).generations;
  const place = { projectId: settings.project.id, surveyId: id, generation, ...span };
  const store = results(service);
  const by = input.by ?? chooseBucket(span);
  const head = { survey: { id, slug, type, question, scale: SCALES[type] }, ...span };
  if (segment !== undefined && value !== undefined) {
    const days = await store.segment(place, segment.name);
    return { ...head, ...valueResults(type, { segment, value }, days, span, by) };
  }
  const [days, segmentDays] = await Promise.all([
    store.days(place),
    segment === undefined ? [] : store.segment(place, segment.name),
  ]);
  return {
    ...head,
    ...sumResults(type, days, span, by),
    ...(segment !== undefined && { segments: segmentResults(type, segment, segmentDays) }),
  };
}

/** An answer is of the value that it is counted in. */
function isOf({ segment, value }: AskedSegment, response: Response): boolean {
  if (segment === undefined) return true;
  const place = placeIn(segment, response);
  return place !== undefined && valueAt(segment, place) === value;
}

/** Undefined: every response is wanted. */
function filterOf({ ratingMin = 0, ratingMax = 10, withText = true }: CommentsInput, asked: AskedSegment) {
  if (ratingMin <= 0 && ratingMax >= 10 && !withText && asked.segment === undefined) return undefined;
  return (response: Response): boolean => {
    const { rating, text = '' } = response;
    const isInRange = rating >= ratingMin && rating <= ratingMax;
    return isInRange && (!withText || text.trim() !== '') && isOf(asked, response);
  };
}

export const toComment = (response: Response): Comment => ({
  id: response.id,
  rating: response.rating,
  text: response.text ?? null,
  followUpRequested: response.followUpRequested ?? null,
  contact: response.contact ?? null,
  respondentId: response.respondentId,
  verified: response.verified === true,
  identityKind: response.identityKind ?? null,
  traits: response.traits === undefined ? null : { ...response.traits },
  taskType: response.taskType ?? null,
  sessionId: response.attested.sessionId ?? response.claimed.sessionId ?? null,
  traceId: response.attested.traceId ?? response.claimed.traceId ?? null,
  source: response.source,
  at: response.at,
});

/** What people wrote, newest first, a page at a time. */
export async function queryComments({
  input,
  settings,
  now,
  service,
}: Query<CommentsInput>): Promise<CommentsReply | Refusal> {
  const span = resolveSpan(input, now);
  if (isRefusal(span)) return span;
  const survey = knownSurvey(settings, input);
  if (survey === undefined) return refuse('survey_not_found');
  const asked = resolveSegment(survey, input);
  if (isRefusal(asked)) return asked;
  const { limit, cursor, from, to, withText, ...filters } = input;
  const projectId = settings.project.id;
  const secret = await secrets(service).hashSecret();
  const query = {
    surveyId: survey.id,
    from,
    to,
    withText,
    ratingMin: filters.ratingMin?.toString(),
    ratingMax: filters.ratingMax?.toString(),
    segment: filters.segment,
    value: filters.value,
  };
  const scope = { projectId, purpose: 'comments', query };
  const after = cursor === undefined ? undefined : openCursor(secret, scope, cursor);
  if (cursor !== undefined && after === undefined) return invalid('cursor', 'not issued for this query');
  const { responses, next } = await comments(service).page(
    { projectId, surveyId: survey.id, ...span, isWanted: filterOf(input, asked) },
    Math.min(limit ?? COMMENT_PAGE.default, COMMENT_PAGE.max),
    after,
  );
  return {
    comments: responses.map(toComment),
    ...(next !== undefined && { nextCursor: sealCursor(secret, scope, next) }),
  };
}
