import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import type { Reply, Tenant, TestService } from './test-service.ts';

export interface Answered {
  readonly reply: Reply;
  readonly showToken: string;
  readonly surveyId: string;
}

interface AnswerOptions {
  readonly surveyId?: string | undefined;
  readonly body?: object;
  readonly sessionId?: string | undefined;
}

/** A show-token as bootstrap, or with a session the mint endpoint, issues it. */
export async function aToken(
  service: TestService,
  tenant: Tenant,
  respondentId: string,
  { surveyId = tenant.surveys[0]?.id ?? '', sessionId }: AnswerOptions = {},
): Promise<string> {
  const { publishableKey, secretKey } = tenant;
  const issued =
    sessionId === undefined
      ? await service.call(bootstrap, { body: { key: publishableKey, userId: respondentId } })
      : await service.call(mintTokens, { secretKey, body: { respondentId, sessionId } });
  const token = (issued.body.showTokens ?? issued.body.tokens)?.[surveyId];
  if (typeof token !== 'string') throw new Error(`no token: ${issued.text}`);
  return token;
}

/** A response through bootstrap (or mint) and submit. */
export async function respond(
  service: TestService,
  tenant: Tenant,
  respondentId: string,
  options: AnswerOptions = {},
): Promise<Answered> {
  const { surveyId = tenant.surveys[0]?.id ?? '', sessionId, body } = options;
  const showToken = await aToken(service, tenant, respondentId, options);
  const submission = { key: tenant.publishableKey, surveyId, showToken, rating: 3, sessionId, ...body };
  return { reply: await service.call(submitResponse, { body: submission }), showToken, surveyId };
}

/** A dismissal through bootstrap and submit. */
export async function dismiss(
  service: TestService,
  tenant: Tenant,
  respondentId: string,
  options: AnswerOptions = {},
): Promise<Answered> {
  const { surveyId = tenant.surveys[0]?.id ?? '' } = options;
  const showToken = await aToken(service, tenant, respondentId, options);
  const submission = { key: tenant.publishableKey, surveyId, showToken, userId: respondentId };
  return { reply: await service.call(submitDismissal, { body: submission }), showToken, surveyId };
}
