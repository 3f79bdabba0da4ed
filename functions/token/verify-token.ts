/**
 * What responses, revisions, dismissals and impressions share: the rules of their token (docs/contract.md §4.2, rows 5 to
 * 9), and what a genuine one is (§12).
 */

import { isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import {
  attestedIds,
  isAttested,
  isExpired,
  isOfKind,
  type SessionIds,
  type ShowTokenClaims,
} from '../../shared/domain/answers/answer.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import type { Genuine, Presentation } from '../runtime/authorise.ts';
import { beyondRate, projectSettings, tokens } from '../runtime/compose.ts';
import type { EndpointRequest } from '../runtime/endpoint.ts';
import { findSurvey } from '../runtime/settings-cache.ts';

/** Requests of one token that an instance takes in beyond the rate. */
const MOST_BEYOND_RATE = 4;

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
  'input' | 'token' | 'dropped' | 'settings' | 'now' | 'service' | 'count'
>;

/** The token's claims and its survey, or the first rule that it breaks. Nothing is written. */
export async function verifyToken({
  input: { showToken, surveyId, sessionId, observationId, traceId, identityKind },
  dropped,
  settings,
  token,
  now,
  service,
}: TokenRequest): Promise<VerifiedToken | Refusal> {
  const projectId = settings.project.id;
  const opened = await (token?.opened() ?? tokens(service).open(projectId, showToken));
  // An id that does not fit is dropped, except where the token attests it: then it is refused, as the token would be.
  const unfit = opened === undefined ? [] : attestedIds(opened.claims).filter((id) => dropped.includes(id));
  if (unfit.length > 0) {
    const message = 'must be a string of 1 to 256 bytes of UTF-8, without lone surrogates';
    return refuse('invalid_request', { issues: unfit.map((path) => ({ path, message })) });
  }
  // Only a genuine token may cause a second read of the settings.
  const isGenuine = opened?.claims.surveyId === surveyId;
  const survey = isGenuine
    ? await findSurvey({ surveyId }, settings, projectSettings(service))
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

/**
 * Genuine: a token that opens in this project for the survey that is named, has not expired, and of which this instance
 * does not know that it was used. Beyond the rate an instance takes one a few times, so that a repetition after 503 is
 * genuine, and one token alone cannot spend what others need.
 */
function genuine(use: string): Genuine {
  // Ends of tokens differ as their seals do.
  const keyOf = ({ projectId, showToken }: Presentation) => `${use} ${projectId} ${showToken.slice(-32)}`;
  return {
    open: ({ projectId, showToken, service }) => tokens(service).open(projectId, showToken),
    async couldStore({ opened, surveyId, now }) {
      const { claims } = (await opened()) ?? {};
      if (claims === undefined || isExpired(claims, now)) return false;
      return surveyId === undefined || claims.surveyId === surveyId;
    },
    passes(request) {
      const [key, known] = [keyOf(request), beyondRate(request.service)];
      const taken = known.get(key) ?? 0;
      if (taken < MOST_BEYOND_RATE) known.set(key, taken + 1);
      return taken < MOST_BEYOND_RATE;
    },
    note(request, reply) {
      const isUsed = isRefusal(reply) ? reply.refused === 'token_used' : use === 'answer';
      if (isUsed) beyondRate(request.service).set(keyOf(request), MOST_BEYOND_RATE);
    },
  };
}

/** Of a token that is used up by its answer, and of one that changes it. */
export const GENUINE_ANSWER = genuine('answer');
export const GENUINE_REVISION = genuine('revision');
