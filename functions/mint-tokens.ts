import { routes } from '../shared/contract/routes.ts';
import type { Survey } from '../shared/domain/survey.ts';
import { answers } from './runtime/compose.ts';
import { preparedEndpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { issueTokens } from './token/issue-tokens.ts';

/** Mints tokens bound to a server session, for the surveys this respondent may see now. */
export const mintTokens = preparedEndpoint(routes.mintTokens, {
  prepare: ({ projectId, input, service }) => answers(service).history(projectId, input.respondentId),

  async handle(request) {
    const { input, settings, prepared: history, now } = request;
    const { respondentId, surveyId, surveySlug, taskType, allowModelRequested, ...session } = input;
    const isWanted = ({ id, content }: Survey): boolean =>
      (surveyId === undefined || id === surveyId) &&
      (surveySlug === undefined || content.slug === surveySlug);
    const wanted = [...settings.surveys.values()].filter(isWanted);
    // The server's word already says who the person is.
    const person = { respondentId, verified: true as const };
    const modelRequested = allowModelRequested === true ? (true as const) : undefined;
    const attesting = { session, taskType, modelRequested };
    const tokens = await issueTokens(request, { ...person, surveys: wanted, history, ...attesting });
    const attested = { ...session, ...(taskType !== undefined && { taskType }) };
    const bindings = wanted.flatMap(({ id, content: { slug } }) => {
      const showToken = tokens[id];
      return showToken === undefined ? [] : [[slug, { surveyId: id, slug, showToken, ...attested }] as const];
    });
    return {
      tokens,
      bindings: Object.fromEntries(bindings),
      suppression: [...history.surveyIds],
      issuedAt: new Date(now).toISOString(),
    };
  },
});

export const handler = onLambda(mintTokens);
