/** Issuing show-tokens for the surveys a respondent may see now; bootstrap and mint gate alike (docs/contract.md §8). */

import type { SessionIds } from '../../shared/domain/answer.ts';
import { decideEligibility, type History } from '../../shared/domain/eligibility.ts';
import { isWorthFolding } from '../../shared/domain/history-fold.ts';
import type { Survey } from '../../shared/domain/survey.ts';
import { tokens } from '../runtime/compose.ts';
import type { EndpointRequest } from '../runtime/endpoint.ts';

interface IssueRequest {
  readonly surveys: Iterable<Survey>;
  readonly respondentId: string;
  readonly history: History;
  /** Present for session-bound tokens. */
  readonly session?: SessionIds | undefined;
  readonly taskType?: string | undefined;
  readonly verified: true | undefined;
}

/** One fresh token per eligible survey, by survey id. Writes nothing. */
export async function issueTokens(
  {
    settings: { project, totals },
    now,
    count,
    service,
  }: Pick<EndpointRequest<unknown, unknown>, 'settings' | 'now' | 'count' | 'service'>,
  { surveys, respondentId, history, session, taskType, verified }: IssueRequest,
): Promise<Record<string, string>> {
  const { eligible, gated } = decideEligibility(surveys, history, { limits: project.limits, totals }, now);
  for (const { gate } of gated) count(`gated_${gate}`);
  count('issued', eligible.length);
  const fold = isWorthFolding(history, now) ? (true as const) : undefined;
  const expiresAt = now + project.tokenLifetimeMs;
  const grants = eligible.map(({ id }) => ({
    surveyId: id,
    respondentId,
    expiresAt,
    session,
    taskType,
    fold,
    verified,
  }));
  const sealed = await tokens(service).issue(project.id, grants, now, session);
  return Object.fromEntries(grants.map(({ surveyId }, index) => [surveyId, sealed[index] ?? '']));
}
