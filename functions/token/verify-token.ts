/** The token rules that responses, revisions, dismissals and impressions share (docs/contract.md §4.2, rows 5 to 9). */

import { type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { SessionIds } from '../../shared/domain/answers/answer.ts';
import {
  attestedIds,
  isAttested,
  isExpired,
  isOfKind,
  type ShowTokenClaims,
} from '../../shared/domain/answers/show-token.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { tokens } from '../runtime/compose.ts';
import type { EndpointRequest } from '../runtime/endpoint.ts';
import { findSurvey } from '../runtime/find-survey.ts';

interface Presented extends SessionIds {
  readonly showToken: string;
  readonly surveyId: string;
  readonly userId?: string | undefined;
  readonly identityKind?: string | undefined;
}

interface VerifiedToken {
  readonly claims: ShowTokenClaims;
  readonly survey: Survey;
}

type TokenRequest = Pick<
  EndpointRequest<Presented, undefined>,
  'input' | 'dropped' | 'settings' | 'now' | 'service' | 'count'
>;

/** The token's claims and its survey, or the first rule that it breaks. Nothing is written. */
export async function verifyToken({
  input: { showToken, surveyId, sessionId, observationId, traceId, identityKind },
  dropped,
  settings,
  now,
  service,
}: TokenRequest): Promise<VerifiedToken | Refusal> {
  const projectId = settings.project.id;
  const opened = await tokens(service).open(projectId, showToken);
  // An id that does not fit is dropped, except where the token attests it: then it is refused, as the token would be.
  const unfit = opened === undefined ? [] : attestedIds(opened.claims).filter((id) => dropped.includes(id));
  if (unfit.length > 0) {
    const message = 'must be a string of 1 to 256 bytes of UTF-8, without lone surrogates';
    return refuse('invalid_request', { issues: unfit.map((path) => ({ path, message })) });
  }
  // Only a genuine token may cause a second read of the settings.
  const isGenuine = opened?.claims.surveyId === surveyId;
  const survey = isGenuine
    ? await findSurvey({ surveyId }, settings, service)
    : settings.surveys.get(surveyId);
  if (survey === undefined) return refuse('survey_not_found');
  if (opened === undefined) return refuse('invalid_token');
  const { claims, bind } = opened;
  if (isExpired(claims, now)) return refuse('token_expired');
  const { session } = claims;
  const binding = bind({
    sessionId: sessionId ?? session?.sessionId,
    observationId: observationId ?? session?.observationId,
    traceId: traceId ?? session?.traceId,
  });
  if (!isAttested(claims, { surveyId, binding })) return refuse('token_mismatch');
  if (!isOfKind(claims, identityKind)) return refuse('token_mismatch');
  return { claims, survey };
}

/** Counts a stored answer, and whether the page knows the person by another id than the token does. */
export function countAccepted({ input: { userId }, count }: TokenRequest, { respondentId }: ShowTokenClaims) {
  count('accepted');
  if (userId !== undefined && userId !== respondentId) count('respondent_mismatch');
}
