import * as routes from '../shared/contract/routes/sdk-routes.ts';
import { listSuppressed } from '../shared/domain/answers/history.ts';
import { isActive, type Survey } from '../shared/domain/surveys/survey.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { preparedEndpoint } from './runtime/endpoint.ts';
import { answers, occasions } from './runtime/parts/answers.ts';
import { issueTokens } from './token/issue-tokens.ts';

export const mintTokens = preparedEndpoint(routes.mintTokens, {
  prepare: ({ projectId, input, service }) => answers(service).history(projectId, input.respondentId),

  async handle(request) {
    const { input, settings, prepared: history, now, service } = request;
    const { respondentId, surveyId, surveySlug, taskType, labels, allowModelRequested, ...session } = input;
    const isWanted = ({ id, content }: Survey): boolean =>
      (surveyId === undefined || id === surveyId) &&
      (surveySlug === undefined || content.slug === surveySlug);
    const wanted = [...settings.surveys.values()].filter(isWanted);
    const asked = { projectId: settings.project.id, respondentId, session, now };
    const active = wanted.filter((survey) => isActive(survey, now));
    const occasion = await occasions(service).of(asked, settings.surveys.values(), active);
    // Servers vouch for their respondent ids.
    const person = { respondentId, verified: true as const };
    const modelRequested = allowModelRequested === true ? (true as const) : undefined;
    const attesting = { session, occasion, taskType, labels, modelRequested };
    const issued = await issueTokens(request, { ...person, surveys: wanted, history, ...attesting });
    const { tokens, refused } = issued;
    const dropped = [...request.dropped, ...issued.dropped];
    const attested = { ...session, ...(taskType !== undefined && { taskType }) };
    const bindings = wanted.flatMap(({ id, content: { slug } }) => {
      const showToken = tokens[id];
      return showToken === undefined ? [] : [[slug, { surveyId: id, slug, showToken, ...attested }] as const];
    });
    const named = surveyId ?? surveySlug;
    // Without a named survey, a reply is never longer than one with all tokens.
    const unasked = refused.filter(({ rule }) => named !== undefined || rule !== 'inactive');
    const reasons = unasked.map(({ survey: { content }, rule }) => [content.slug, rule] as const);
    const isUnknown = named !== undefined && wanted.length === 0;
    const none = isUnknown ? { [named]: 'unknown_survey' as const } : Object.fromEntries(reasons);
    return {
      tokens,
      bindings: Object.fromEntries(bindings),
      suppression: listSuppressed(settings.surveys, history, occasion, now),
      issuedAt: new Date(now).toISOString(),
      ...(dropped.length > 0 && { dropped }),
      ...(Object.keys(none).length > 0 && { none }),
    };
  },
});

export const handler = serviceOnLambda(mintTokens.create);
