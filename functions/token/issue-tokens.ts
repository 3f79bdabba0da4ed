/** Issuing show-tokens for the surveys a respondent may see now; bootstrap and mint gate alike (contract §4). */

import type { SessionIds } from '../../shared/domain/answer.ts';
import { decideEligibility, type History } from '../../shared/domain/eligibility.ts';
import { isWorthFolding } from '../../shared/domain/history-fold.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { Survey } from '../../shared/domain/survey.ts';
import type { Dependencies } from '../runtime/dependencies.ts';
import type { Count } from '../runtime/pipeline.ts';

interface IssueRequest {
  readonly settings: ProjectSettings;
  readonly surveys: Iterable<Survey>;
  readonly respondentId: string;
  readonly history: History;
  readonly now: number;
  /** Present for session-bound tokens. */
  readonly session?: SessionIds;
  readonly taskType?: string;
  readonly count: Count;
}

/** One fresh token per eligible survey, by survey id. Writes nothing. */
export async function issueTokens(
  { settings, surveys, respondentId, history, now, session, taskType, count }: IssueRequest,
  { tokens }: Dependencies,
): Promise<Record<string, string>> {
  const { project, totals } = settings;
  const { eligible, gated } = decideEligibility(surveys, history, { limits: project.limits, totals }, now);
  for (const { gate } of gated) count(`gated_${gate}`);
  count('issued', eligible.length);
  const fold = isWorthFolding(history, now);
  const grants = eligible.map((survey) => ({
    surveyId: survey.id,
    respondentId,
    expiresAt: now + project.tokenLifetimeMs,
    ...(session !== undefined && { session }),
    ...(taskType !== undefined && { taskType }),
    ...(fold && { fold }),
  }));
  const sealed = await tokens.issue(project.id, grants, now);
  return Object.fromEntries(grants.map(({ surveyId }, index) => [surveyId, sealed[index] ?? '']));
}
