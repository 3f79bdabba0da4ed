import { routes } from '../shared/contract/routes.ts';
import { answers } from './runtime/compose.ts';
import { preparedEndpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { issueTokens } from './token/issue-tokens.ts';

/** Mints tokens bound to a server session, for the surveys this respondent may see now. */
export const mintTokens = preparedEndpoint(routes.mintTokens, {
  prepare: ({ projectId, input, service }) => answers(service).history(projectId, input.respondentId),

  async handle(request) {
    const { input, settings, prepared: history, now } = request;
    const { respondentId, surveyId, taskType, ...session } = input;
    const wanted = [...settings.surveys.values()].filter(
      ({ id }) => surveyId === undefined || id === surveyId,
    );
    // The server's word already says who the person is.
    const person = { respondentId, verified: true as const };
    const tokens = await issueTokens(request, { ...person, surveys: wanted, history, session, taskType });
    return { tokens, suppression: [...history.surveyIds], issuedAt: new Date(now).toISOString() };
  },
});

export const handler = onLambda(mintTokens);
