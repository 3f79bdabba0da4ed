import { invalid, refuse } from '../shared/contract/errors.ts';
import { DEFAULT_LINK_LIFETIME } from '../shared/contract/link-schemas.ts';
import * as routes from '../shared/contract/routes/link-routes.ts';
import { parseDuration } from '../shared/domain/duration.ts';
import { answers } from './runtime/compose.ts';
import { preparedEndpoint } from './runtime/endpoint.ts';
import { findSurvey } from './runtime/find-survey.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { serviceUrl } from './runtime/service-url.ts';
import { issueLink } from './token/issue-link.ts';

/** A link on which this respondent answers the survey later, or why they may not be asked. */
export const deferredAskLink = preparedEndpoint(routes.deferredAskLink, {
  prepare: ({ projectId, input, service }) => answers(service).history(projectId, input.respondentId),

  async handle(request) {
    const { input, settings, prepared: history, now, event, service } = request;
    const { respondentId, sessionId, traceId, observationId, taskType } = input;
    const survey = await findSurvey(input, settings, service);
    if (survey === undefined) return refuse('survey_not_found');
    const expiresAt = now + (parseDuration(input.expiresIn ?? DEFAULT_LINK_LIFETIME) ?? 0);
    const session = { sessionId, traceId, observationId };
    const asked = { survey, respondentId, history, session, taskType, expiresAt };
    const { showToken, reason } = await issueLink(request, asked);
    if (reason !== undefined) return { ok: false as const, reason };
    if (showToken === undefined) return invalid('', 'the ids are too long for a link together');
    return {
      ok: true as const,
      url: `${serviceUrl(event, service.config)}/l/${showToken}`,
      showToken,
      issuedAt: new Date(now).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
      surveyId: survey.id,
      respondentId,
      sessionId: sessionId ?? null,
    };
  },
});

export const handler = onLambda(deferredAskLink);
