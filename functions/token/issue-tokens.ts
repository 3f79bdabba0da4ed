/** Bootstrap and mint apply the same rules (docs/contract.md §8). */

import { fitMetadata } from '../../shared/crypto/token-room.ts';
import type { Labels, SessionIds } from '../../shared/domain/answers/answer.ts';
import {
  type History,
  isWorthFolding,
  NO_OCCASION,
  type Occasion,
  tokenIdOf,
} from '../../shared/domain/answers/history.ts';
import type { Project } from '../../shared/domain/project.ts';
import { decideEligibility, type Eligibility, isGate } from '../../shared/domain/surveys/eligibility.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { log, type Service, tokens } from '../runtime/compose.ts';
import type { EndpointRequest } from '../runtime/endpoint.ts';
import { foldRequests } from '../runtime/parts/answers.ts';

interface IssueRequest {
  readonly surveys: Iterable<Survey>;
  readonly respondentId: string;
  readonly history: History;
  readonly session?: SessionIds | undefined;
  /** Without an occasion, surveys that repeat by session are not shown. */
  readonly occasion?: Occasion | undefined;
  readonly taskType?: string | undefined;
  readonly labels?: Labels | undefined;
  readonly verified: true | undefined;
  readonly modelRequested?: true | undefined;
}

interface IssuedTokens extends Pick<Eligibility, 'refused'> {
  /** By survey id. */
  readonly tokens: Record<string, string>;
  /** Paths of metadata that did not fit into the tokens. */
  readonly dropped: readonly string[];
}

/** Never throws, because the next request asks for the fold again. */
export async function askForFold(
  service: Service,
  { id: projectId, probe }: Project,
  respondentId: string,
  now: number,
): Promise<void> {
  // Data of the synthetic monitor expires on its own.
  if (probe === true) return;
  try {
    await foldRequests(service).ask(projectId, respondentId, now);
  } catch (error) {
    log(service).error({ message: 'fold request failed', projectId, error });
  }
}

/** If the history is too long to read, requests a fold; only surveys that interrupt nobody then get tokens. */
export async function issueTokens(
  {
    settings: { project, totals },
    now,
    count,
    service,
  }: Pick<EndpointRequest<unknown, unknown>, 'settings' | 'now' | 'count' | 'service'>,
  {
    surveys,
    respondentId,
    history,
    session,
    occasion = NO_OCCASION,
    taskType,
    labels,
    verified,
    modelRequested,
  }: IssueRequest,
): Promise<IssuedTokens> {
  if (history.isTooLong === true) await askForFold(service, project, respondentId, now);
  const rules = { limits: project.limits, totals };
  const { eligible, refused } = decideEligibility(surveys, { history, occasion }, rules, now);
  for (const { rule } of refused) if (isGate(rule)) count(`gated_${rule}`);
  count('issued', eligible.length);
  const fold = isWorthFolding(history, project.tokenLifetimeMs, now) ? (true as const) : undefined;
  const expiresAt = now + project.tokenLifetimeMs;
  const common = { respondentId, expiresAt, fold, verified, modelRequested };
  // The longest survey id sets the limit for metadata.
  const [surveyId = ''] = eligible.map(({ id }) => id).sort((a, b) => b.length - a.length);
  const fitted = fitMetadata({ grant: { ...common, surveyId }, session }, { taskType, labels });
  const grants = eligible.map((survey) => ({
    ...common,
    ...fitted.metadata,
    tokenId: tokenIdOf(survey, occasion),
    surveyId: survey.id,
  }));
  const sealed = await tokens(service).issue(project.id, grants, now, session);
  return {
    tokens: Object.fromEntries(grants.map(({ surveyId }, index) => [surveyId, sealed[index] ?? ''])),
    refused,
    dropped: eligible.length > 0 ? fitted.dropped : [],
  };
}
