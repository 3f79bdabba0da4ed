import { invalid, isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import {
  COMMENT_PAGE,
  type Comment,
  type CommentsInput,
  type CommentsReply,
} from '../../shared/contract/results-schemas.ts';
import { openCursor, sealCursor } from '../../shared/crypto/cursor.ts';
import type { Response } from '../../shared/domain/answers/answer.ts';
import { comments, secrets } from '../runtime/compose.ts';
import { findSurvey } from '../runtime/find-survey.ts';
import { type Query, resolveSpan } from './query.ts';

const isWanted =
  ({ ratingMin = 0, ratingMax = 10, withText = true }: CommentsInput) =>
  ({ rating, text = '' }: Response): boolean =>
    rating >= ratingMin && rating <= ratingMax && (!withText || text.trim() !== '');

const toComment = (response: Response): Comment => ({
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
  const survey = await findSurvey(input, settings, service);
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
    { projectId, surveyId: survey.id, ...span, isWanted: isWanted(input) },
    Math.min(limit ?? COMMENT_PAGE.default, COMMENT_PAGE.max),
    after,
  );
  return {
    comments: responses.map(toComment),
    ...(next !== undefined && { nextCursor: sealCursor(secret, scope, next) }),
  };
}
