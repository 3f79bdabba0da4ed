import { routes } from '../shared/contract/routes.ts';
import { NO_HISTORY } from '../shared/domain/eligibility.ts';
import { definitionOf, isActive, type Survey } from '../shared/domain/survey.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { jsonReply } from './runtime/reply.ts';
import { issueTokens } from './token/issue-tokens.ts';

const definitions = new WeakMap<Survey, string>();

/** A survey's definition as JSON, made once for as long as the settings that hold it are in memory. */
function definitionJson(survey: Survey): string {
  let json = definitions.get(survey);
  if (json === undefined) {
    json = JSON.stringify(definitionOf(survey));
    definitions.set(survey, json);
  }
  return json;
}

/** Tells a browser which surveys exist, which this person must not see again, and which may be shown now. */
export const bootstrap = endpoint(routes.bootstrap, {
  async prepare({ projectId, input: { userId } }, { respondents }) {
    return userId === undefined ? NO_HISTORY : respondents.history(projectId, userId);
  },

  async handle({ input: { userId }, settings, prepared: history, now, count }, deps) {
    const surveys = [...settings.surveys.values()].filter((survey) => isActive(survey, now));
    const issue = { settings, surveys, history, now, count };
    const rest = {
      suppression: [...history.surveyIds],
      ...(userId !== undefined && {
        showTokens: await issueTokens({ ...issue, respondentId: userId }, deps),
      }),
    };
    return jsonReply(
      `{"surveys":[${surveys.map(definitionJson).join(',')}],${JSON.stringify(rest).slice(1)}`,
    );
  },
});

export const handler = onLambda(bootstrap);
