/** See docs/contract.md §4.2, rows 5 to 9, and §12. */

import { isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import {
  attestedIds,
  isAttested,
  isExpired,
  isOfKind,
  type SessionIds,
  type ShowTokenClaims,
} from '../../shared/domain/answers/answer.ts';
import { BoundedMap } from '../../shared/domain/memory.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import type { Genuine, PresentedToken } from '../runtime/authorise.ts';
import { part, tokens } from '../runtime/compose.ts';
import type { EndpointRequest } from '../runtime/endpoint.ts';
import { findSurvey, projectSettings } from '../runtime/settings-cache.ts';

const MOST_BEYOND_RATE = 4;

interface TokenFields extends SessionIds {
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
  EndpointRequest<TokenFields, undefined>,
  'input' | 'token' | 'dropped' | 'settings' | 'now' | 'service' | 'count'
>;

export async function verifyToken({
  input: { showToken, surveyId, sessionId, observationId, traceId, identityKind },
  dropped,
  settings,
  token,
  now,
  service,
}: TokenRequest): Promise<VerifiedToken | Refusal> {
  const projectId = settings.project.id;
  const unsealed = await (token?.unsealed() ?? tokens(service).unseal(projectId, showToken));
  // If attested ids were dropped, the answer would be refused as a mismatch.
  const unfit =
    unsealed === undefined ? [] : attestedIds(unsealed.claims).filter((id) => dropped.includes(id));
  if (unfit.length > 0) {
    const message = 'must be a string of 1 to 256 bytes of UTF-8, without lone surrogates';
    return refuse('invalid_request', { issues: unfit.map((path) => ({ path, message })) });
  }
  // Only a genuine token may cause the settings to be read again.
  const isGenuine = unsealed?.claims.surveyId === surveyId;
  const survey = isGenuine
    ? await findSurvey({ surveyId }, settings, projectSettings(service))
    : settings.surveys.get(surveyId);
  if (survey === undefined) return refuse('survey_not_found');
  if (unsealed === undefined) return refuse('invalid_token');
  const { claims, bind } = unsealed;
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

export function countAccepted({ input: { userId }, count }: TokenRequest, { respondentId }: ShowTokenClaims) {
  count('accepted');
  if (userId !== undefined && userId !== respondentId) count('respondent_mismatch');
}

/**
 * A token is genuine if it is valid for the project and survey, not expired, and not known to be used. Beyond the rate,
 * each instance admits a token a few times. Retries after a 503 pass, but one token cannot use up the rate.
 */
function genuine(use: string): Genuine {
  // These characters are part of the token's seal.
  const keyOf = ({ projectId, showToken }: PresentedToken) => `${use} ${projectId} ${showToken.slice(-32)}`;
  return {
    unseal: ({ projectId, showToken, service }) => tokens(service).unseal(projectId, showToken),
    async couldStore({ unsealed, surveyId, now }) {
      const { claims } = (await unsealed()) ?? {};
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

export const GENUINE_ANSWER = genuine('answer');
export const GENUINE_REVISION = genuine('revision');

const MOST_TOKENS_REMEMBERED = 4_096;

const beyondRate = /* @__PURE__ */ part(() => new BoundedMap<string, number>(MOST_TOKENS_REMEMBERED));
