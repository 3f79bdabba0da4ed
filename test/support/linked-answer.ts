import { mintTokens } from '../../functions/mint-tokens.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { anId } from './builders.ts';
import type { Tenant, TestService } from './test-service.ts';

/** Limits under which a test may answer as often as it likes. */
export const NO_LIMITS = { quietPeriodMs: 0, monthlyCap: 0 } as const;

export interface LinkedAnswer {
  readonly showToken: string;
  readonly attested: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly at: string;
}

interface AnswerOptions {
  readonly mint?: Readonly<Record<string, string>>;
  readonly submission?: Readonly<Record<string, unknown>>;
  readonly surveyIndex?: number;
}

/** Mints a session-bound token and answers with it, through the real handlers; a new respondent each time. */
export async function linkedAnswer(
  service: TestService,
  tenant: Tenant,
  { mint = {}, submission = {}, surveyIndex = 0 }: AnswerOptions = {},
): Promise<LinkedAnswer> {
  const session = { sessionId: `session-${anId()}`, ...mint };
  const surveyId = tenant.surveys[surveyIndex]?.id ?? '';
  const minted = await service.call(mintTokens, {
    secretKey: tenant.secretKey,
    body: { respondentId: `user-${anId()}`, surveyId, ...session },
  });
  const {
    taskType: _taskType,
    respondentId: _respondent,
    ...attested
  } = { taskType: '', respondentId: '', ...session };
  const answer = await service.call(submitResponse, {
    body: {
      key: tenant.publishableKey,
      showToken: minted.body.tokens[surveyId],
      surveyId,
      rating: 5,
      ...attested,
      ...submission,
    },
  });
  if (answer.status !== 201) throw new Error(`the answer was refused: ${answer.text}`);
  const showToken = minted.body.tokens[surveyId];
  return { id: answer.body.id, at: answer.body.at, showToken, attested };
}
