/** See docs/contract.md §19. */

import { fitMetadata } from '../../shared/crypto/token-room.ts';
import type { Labels, SessionIds } from '../../shared/domain/answers/answer.ts';
import { type History, isWorthFolding, tokenIdOf } from '../../shared/domain/answers/history.ts';
import { gateOf, isGate, type Rule } from '../../shared/domain/surveys/eligibility.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { tokens } from '../runtime/compose.ts';
import type { EndpointRequest } from '../runtime/endpoint.ts';
import { occasions } from '../runtime/parts/answers.ts';
import { askForFold } from './issue-tokens.ts';

interface LinkRequest {
  readonly survey: Survey;
  readonly respondentId: string;
  readonly history: History;
  readonly session: SessionIds;
  readonly taskType: string | undefined;
  readonly labels: Labels | undefined;
  readonly expiresAt: number;
}

interface Issued {
  /** Paths of metadata that did not fit into the link. */
  readonly dropped?: readonly string[];
  readonly showToken?: string | undefined;
  /** The first rule that fails. */
  readonly rule?: Rule;
}

const present = (session: SessionIds): SessionIds | undefined => {
  const values = Object.entries(session).filter(([, value]) => value !== undefined);
  return values.length === 0 ? undefined : Object.fromEntries(values);
};

export async function issueLink(
  {
    settings: { project, totals },
    now,
    count,
    service,
  }: Pick<EndpointRequest<unknown, unknown>, 'settings' | 'now' | 'count' | 'service'>,
  { survey, respondentId, history, session, taskType, labels, expiresAt }: LinkRequest,
): Promise<Issued> {
  if (history.isTooLong === true) await askForFold(service, project, respondentId, now);
  const asked = { projectId: project.id, respondentId, session, now };
  const occasion = await occasions(service).of(asked, [survey], [survey]);
  const rule = gateOf(survey, { history, occasion }, { limits: project.limits, totals }, now);
  if (rule !== undefined) {
    if (isGate(rule)) count(`gated_${rule}`);
    return { rule };
  }
  const grant = {
    tokenId: tokenIdOf(survey, occasion),
    surveyId: survey.id,
    respondentId,
    expiresAt,
    fold: isWorthFolding(history, project.tokenLifetimeMs, now) ? (true as const) : undefined,
    verified: true as const,
    // Answers are folded once the project's token lifetime has passed since issue, but links may live longer.
    countsAsIssuedAt: Math.max(now, expiresAt - project.tokenLifetimeMs),
  };
  const attested = present(session);
  const fitted = fitMetadata({ grant, session: attested, projectId: project.id }, { taskType, labels });
  const showToken = await tokens(service).issueLink(project.id, { ...grant, ...fitted.metadata }, attested);
  if (showToken === undefined) return {};
  count('issued', 1);
  return { showToken, dropped: fitted.dropped };
}
