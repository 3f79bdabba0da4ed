import { routes } from '../shared/contract/routes.ts';
import { NO_HISTORY } from '../shared/domain/eligibility.ts';
import { definitionOf, isActive, type Survey } from '../shared/domain/survey.ts';
import { answers } from './runtime/compose.ts';
import { preparedEndpoint } from './runtime/endpoint.ts';
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
export const bootstrap = preparedEndpoint(routes.bootstrap, {
  async prepare({ projectId, input: { userId }, service }) {
    return userId === undefined ? NO_HISTORY : answers(service).history(projectId, userId);
  },

  async handle(request) {
    const { input, settings, prepared: history, now } = request;
    const surveys = [...settings.surveys.values()].filter((survey) => isActive(survey, now));
    const { userId } = input;
    const showTokens =
      userId === undefined
        ? undefined
        : await issueTokens(request, { surveys, respondentId: userId, history });
    const rest = JSON.stringify({ suppression: [...history.surveyIds], showTokens });
    return jsonReply(`{"surveys":[${surveys.map(definitionJson).join(',')}],${rest.slice(1)}`);
  },
});

export const handler = onLambda(bootstrap);
