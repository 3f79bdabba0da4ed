import { routes } from '../shared/contract/routes.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { issueTokens } from './token/issue-tokens.ts';

/** Mints tokens bound to a server session, for the surveys this respondent may see now. */
export const mintTokens = endpoint(routes.mintTokens, {
  async prepare({ projectId, input: { respondentId } }, { respondents }) {
    return respondents.history(projectId, respondentId);
  },

  async handle({ input, settings, prepared: history, now, count }, deps) {
    const { respondentId, surveyId, taskType, ...session } = input;
    const wanted = surveyId === undefined ? undefined : settings.surveys.get(surveyId);
    const surveys = surveyId === undefined ? settings.surveys.values() : wanted === undefined ? [] : [wanted];
    const tokens = await issueTokens(
      {
        settings,
        surveys,
        respondentId,
        history,
        now,
        count,
        session,
        ...(taskType !== undefined && { taskType }),
      },
      deps,
    );
    return { tokens, suppression: [...history.surveyIds], issuedAt: new Date(now).toISOString() };
  },
});

export const handler = onLambda(mintTokens);
