/** The token rules that responses and dismissals share (contract, decisions §1, rows 6 to 9). */

import { type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { SessionIds } from '../../shared/domain/answer.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { isAttested, isExpired, type ShowTokenClaims } from '../../shared/domain/show-token.ts';
import type { Survey } from '../../shared/domain/survey.ts';
import type { Dependencies } from '../runtime/dependencies.ts';

interface Presented extends SessionIds {
  readonly showToken: string;
  readonly surveyId: string;
}

interface VerifiedToken {
  readonly claims: ShowTokenClaims;
  readonly survey: Survey;
}

/** The token's claims and its survey, or the first rule that it breaks. Nothing is written. */
export async function verifyToken(
  { showToken, surveyId, ...session }: Presented,
  settings: ProjectSettings,
  now: number,
  { tokens, settings: cache }: Dependencies,
): Promise<VerifiedToken | Refusal> {
  const projectId = settings.project.id;
  const opened = await tokens.open(projectId, showToken);
  let survey = settings.surveys.get(surveyId);
  // A genuine token for a survey that this instance has not heard of yet: another instance has.
  if (survey === undefined && opened?.claims.surveyId === surveyId) {
    survey = (await cache.reload(projectId))?.surveys.get(surveyId);
  }
  if (survey === undefined) return refuse('survey_not_found');
  if (opened === undefined) return refuse('invalid_token');
  const { claims, bind } = opened;
  if (isExpired(claims, now)) return refuse('token_expired');
  if (!isAttested(claims, { surveyId, binding: bind(session) })) return refuse('token_mismatch');
  return { claims, survey };
}
