/** See docs/contract.md §4.2, rows 5 to 9, and §12. */

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
import { findSurvey, projectSettings } from '../runtime/settings-cache.ts';

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
