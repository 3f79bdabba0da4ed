/** Changing an answer to the tenant's first survey, and what is then known of it. */

import { exportResponses } from '../../functions/export-responses.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { reviseResponse } from '../../functions/revise-response.ts';
import { type Caller, submit } from './submission.ts';
import type { Reply } from './test-service.ts';
import { boundTokenOf, showTokenOf, someone, surveyOf } from './tokens.ts';

export const SESSION = { sessionId: 'session-1', traceId: 'trace-1', observationId: 'observation-1' };

/** A revision in which everything is in order but what the test says. */
export function revise(
  { service, tenant }: Caller,
  showToken: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  const body = { key: tenant.publishableKey, surveyId: surveyOf(tenant), showToken, ...fields };
  return service.call(reviseResponse, { body });
}

export interface Given {
  readonly showToken: string;
  readonly respondentId: string;
  readonly id: string;
  readonly at: string;
}

/** An answer to a token from bootstrap. */
export async function anAnswer(
  caller: Caller,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Given> {
  const respondentId = someone();
  const showToken = await showTokenOf(caller.service, caller.tenant, { userId: respondentId });
  const { body } = await submit(caller, showToken, fields);
  return { showToken, respondentId, id: body.id, at: body.at };
}

/** An answer to a token that was minted for `SESSION`. */
export async function aLinkedAnswer(
  caller: Caller,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Given> {
  const respondentId = someone();
  const showToken = await boundTokenOf(caller.service, caller.tenant, { respondentId, ...SESSION });
  const { body } = await submit(caller, showToken, { ...SESSION, ...fields });
  return { showToken, respondentId, id: body.id, at: body.at };
}

/** The row of a person's one answer, as the export has it. */
export async function exportedOf({ service, tenant }: Caller, respondentId: string) {
  const { secretKey } = tenant;
  const { body } = await service.call(exportResponses, { secretKey, query: { respondentId } });
  return body.responses[0];
}

/** Scores that wait, withdrawn ones too. */
export async function waiting({ service, tenant }: Caller, query: Readonly<Record<string, string>> = {}) {
  const { secretKey } = tenant;
  const all = { includeWithdrawn: 'true', ...query };
  return (await service.call(listPendingScores, { secretKey, query: all })).body.scores;
}
