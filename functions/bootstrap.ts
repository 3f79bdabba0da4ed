import { routes } from '../shared/contract/routes.ts';
import { NO_HISTORY } from '../shared/domain/eligibility.ts';
import { definitionOf, isActive } from '../shared/domain/survey.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { issueTokens } from './token/issue-tokens.ts';

/** Tells a browser which surveys exist, which this person must not see again, and which may be shown now. */
export const bootstrap = endpoint(routes.bootstrap, {
  async prepare({ projectId, input: { userId } }, { respondents }) {
    return userId === undefined ? NO_HISTORY : respondents.history(projectId, userId);
  },

  async handle({ input: { userId }, settings, prepared: history, now, count }, deps) {
    const surveys = [...settings.surveys.values()].filter((survey) => isActive(survey, now));
    const reply = { surveys: surveys.map(definitionOf), suppression: [...history.surveyIds] };
    if (userId === undefined) return reply;
    const showTokens = await issueTokens(
      { settings, surveys, respondentId: userId, history, now, count },
      deps,
    );
    return { ...reply, showTokens };
  },
});

export const handler = onLambda(bootstrap);
