import { invalid, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/link-routes.ts';
import { parseDuration } from '../shared/domain/duration.ts';
import { linkLifetimeOf } from '../shared/domain/project.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { preparedEndpoint } from './runtime/endpoint.ts';
import { answers } from './runtime/parts/answers.ts';
import { serviceUrl } from './runtime/request-input.ts';
import { findSurvey, projectSettings } from './runtime/settings-cache.ts';
import { issueLink } from './token/issue-link.ts';

export const deferredAskLink = preparedEndpoint(routes.deferredAskLink, {
  prepare: ({ projectId, input, service }) => answers(service).history(projectId, input.respondentId),

  async handle(request) {
    const { input, settings, prepared: history, now, event, service } = request;
    const { respondentId, sessionId, traceId, observationId, taskType, labels } = input;
    const survey = await findSurvey(input, settings, projectSettings(service));
    if (survey === undefined) return refuse('survey_not_found');
    const expiresAt = now + (parseDuration(input.expiresIn ?? '') ?? linkLifetimeOf(settings.project));
    const session = { sessionId, traceId, observationId };
    const asked = { survey, respondentId, history, session, taskType, labels, expiresAt };
    const { showToken, rule, dropped: unfit = [] } = await issueLink(request, asked);
    const dropped = [...request.dropped, ...unfit];
    const rest = dropped.length > 0 && { dropped };
    if (rule !== undefined) {
      const reason = rule === 'inactive' ? ('not_active' as const) : rule;
      return { ok: false as const, reason, ...rest, none: { [survey.content.slug]: rule } };
    }
    if (showToken === undefined) return invalid('', 'the ids together are too long for a link');
    return {
      ok: true as const,
      url: `${serviceUrl(event, service.config)}/l/${showToken}`,
      showToken,
      issuedAt: new Date(now).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
      surveyId: survey.id,
      respondentId,
      sessionId: sessionId ?? null,
      ...rest,
    };
  },
});

export const handler = serviceOnLambda(deferredAskLink.create);
