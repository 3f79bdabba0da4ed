import { invalid, isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import {
  COMMENT_PAGE,
  type Comment,
  type CommentsInput,
  type CommentsReply,
} from '../../shared/contract/results-schemas.ts';
import { openCursor, sealCursor } from '../../shared/crypto/cursor.ts';
import {
  answerTexts,
  type GivenAnswer,
  type Response,
  sessionOf,
  tellAnswer,
} from '../../shared/domain/answers/answer.ts';
import { completeFrom } from '../../shared/domain/project.ts';
import type { AskedValue } from '../../shared/domain/results/value-results.ts';
import { knownQuestions } from '../../shared/domain/surveys/questions.ts';
import { placeIn, valueAt } from '../../shared/domain/surveys/segments.ts';
import { choiceOf, hasScale, knownChoices, type Survey } from '../../shared/domain/surveys/survey.ts';
import { secrets } from '../runtime/compose.ts';
import { comments } from '../runtime/parts/results.ts';
import { knownSurvey } from '../runtime/settings-cache.ts';
import { type AskedSegment, type Query, resolveSegment, resolveSpan } from './asked.ts';

/** Compares the value under which the answer was counted. */
function isOf(asked: AskedValue | undefined, response: Response): boolean {
  if (asked === undefined) return true;
  const place = placeIn(asked.segment, response);
  return place !== undefined && valueAt(asked.segment, place) === asked.value;
}

type Filters = Pick<CommentsInput, 'ratingMin' | 'ratingMax' | 'withText' | 'reason' | 'answers'>;

const NO_RATINGS =
  'must be absent for surveys of the types choice and open. Use `choice` to filter the answers to a choice';

/** Returns undefined if all responses match. */
export function responseFilter(
  { ratingMin = 0, ratingMax = 10, withText = true, reason, answers }: Filters,
  { asked }: AskedSegment,
): ((response: Response) => boolean) | undefined {
  const isOfAnyRating = ratingMin <= 0 && ratingMax >= 10;
  if (isOfAnyRating && !withText && asked === undefined && (reason ?? answers) === undefined)
    return undefined;
  return (response: Response): boolean => {
    const { rating, text = '', reasons = [] } = response;
    if (reason !== undefined && !reasons.some(({ code }) => code === reason)) return false;
    const hasAnswer = ({ id, value = null }: GivenAnswer) =>
      [value].flat().some((each) => `${id}=${each}` === answers);
    if (answers !== undefined && !response.answers?.some(hasAnswer)) return false;
    const isInRange = rating >= ratingMin && rating <= ratingMax;
    const hasText = text.trim() !== '' || answerTexts(response.answers) !== null;
    return isInRange && (!withText || hasText) && isOf(asked, response);
  };
}

export function toComment(response: Response, survey: Survey | undefined): Comment {
  const { identityKind, traits, taskType, labels, channel, ...words } = tellAnswer('comments', response);
  const { sessionId, traceId } = sessionOf(response);
  return {
    id: response.id,
    ...words,
    choice: choiceOf(survey, response.rating)?.code ?? null,
    respondentId: response.respondentId,
    verified: response.verified === true,
    ...{ identityKind, traits, taskType, labels, channel, sessionId, traceId },
    source: response.source,
    at: response.at,
  };
}

/** The bounds of the ratings that a filter by choice means. */
export function ratingBounds(survey: Survey, { ratingMin, ratingMax, choice }: Partial<CommentsInput>) {
  if (!hasScale(survey.content.type)) {
    if (ratingMin !== undefined) return invalid('ratingMin', NO_RATINGS);
    if (ratingMax !== undefined) return invalid('ratingMax', NO_RATINGS);
  }
  if (choice === undefined) return {};
  const rating = knownChoices(survey).findIndex(({ code }) => code === choice);
  if (survey.content.type !== 'choice' || rating < 0)
    return invalid('choice', 'the survey has no such choice');
  return { ratingMin: rating, ratingMax: rating };
}

/** Refuses an answer that the survey never had. */
export function answerProblem(survey: Survey, { answers }: Partial<CommentsInput>): Refusal | undefined {
  if (answers === undefined) return undefined;
  const isKnown = knownQuestions(survey).some(({ id, choices = [], min = 0, max = -1 }) =>
    [
      ...choices.map(({ code }) => code),
      ...Array.from({ length: max - min + 1 }, (_, nth) => min + nth),
    ].some((code) => `${id}=${code}` === answers),
  );
  return isKnown ? undefined : invalid('answers', 'the survey has no such answer');
}

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
  const chosen = resolveSegment(survey, input);
  if (isRefusal(chosen)) return chosen;
  const { limit, cursor, from, to, withText, ...filters } = input;
  const { reasonCodes = [] } = survey;
  if (filters.reason !== undefined && !reasonCodes.includes(filters.reason))
    return invalid('reason', 'the survey has no such reason');
  const problem = answerProblem(survey, filters);
  if (problem !== undefined) return problem;
  const ofChoice = ratingBounds(survey, filters);
  if (isRefusal(ofChoice)) return ofChoice;
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
    reason: filters.reason,
    choice: filters.choice,
    answers: filters.answers,
  };
  const scope = { projectId, purpose: 'comments', query };
  const after = cursor === undefined ? undefined : openCursor(secret, scope, cursor);
  if (cursor !== undefined && after === undefined) return invalid('cursor', 'not issued for this query');
  const first = completeFrom(settings, survey.id, now);
  if (first > span.to) return { comments: [] };
  const kept = { ...span, ...(first > span.from && { from: first }) };
  const { responses, next } = await comments(service).page(
    { projectId, surveyId: survey.id, ...kept, isWanted: responseFilter({ ...input, ...ofChoice }, chosen) },
    Math.min(limit ?? COMMENT_PAGE.default, COMMENT_PAGE.max),
    after,
  );
  return {
    comments: responses.map((response) => toComment(response, survey)),
    ...(next !== undefined && { nextCursor: sealCursor(secret, scope, next) }),
  };
}
