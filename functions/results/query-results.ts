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
import { segmentResults, sumResults } from '../../shared/domain/results/results.ts';
import { shownSegments } from '../../shared/domain/surveys/segments.ts';
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

const segmentNamed = ({ segments }: Survey, name: string | undefined) =>
  shownSegments(segments).find((segment) => segment.name === name);

/** What was answered to a survey over a span of days: one query, and another for a segment. */
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
  const segment = segmentNamed(survey, input.segment);
  if (input.segment !== undefined && segment === undefined) {
    const names = shownSegments(survey.segments).map(({ name }) => name);
    return invalid('segment', `the survey's segments are ${names.join(', ')}`);
  }

  const { shown: generation } = countingOf(survey, settings).generations;
  const place = { projectId: settings.project.id, surveyId: id, generation, ...span };
  const store = results(service);
  const [days, counts] = await Promise.all([
    store.days(place),
    segment === undefined ? undefined : store.segment(place, segment.name),
  ]);
  return {
    survey: { id, slug, type, question, scale: SCALES[type] },
    ...span,
    ...sumResults(type, days, span, input.by ?? chooseBucket(span)),
    ...(segment !== undefined && { segments: segmentResults(type, segment, counts ?? []) }),
  };
}

/** Undefined: every response is wanted. */
function filterOf({ ratingMin = 0, ratingMax = 10, withText = true }: CommentsInput) {
  if (ratingMin <= 0 && ratingMax >= 10 && !withText) return undefined;
  return ({ rating, text = '' }: Response): boolean =>
    rating >= ratingMin && rating <= ratingMax && (!withText || text.trim() !== '');
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
  };
  const scope = { projectId, purpose: 'comments', query };
  const after = cursor === undefined ? undefined : openCursor(secret, scope, cursor);
  if (cursor !== undefined && after === undefined) return invalid('cursor', 'not issued for this query');
  const { responses, next } = await comments(service).page(
    { projectId, surveyId: survey.id, ...span, isWanted: filterOf(input) },
    Math.min(limit ?? COMMENT_PAGE.default, COMMENT_PAGE.max),
    after,
  );
  return {
    comments: responses.map(toComment),
    ...(next !== undefined && { nextCursor: sealCursor(secret, scope, next) }),
  };
}
