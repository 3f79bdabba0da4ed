import { isRefusal } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/sdk-routes.ts';
import { showWindowOf } from '../shared/domain/project.ts';
import { isBeside } from '../shared/domain/surveys/eligibility.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { shows } from './runtime/parts/answers.ts';
import { verifyToken } from './token/verify-token.ts';

/** Does not mark the token as used, and does not check whether it was used. */
export const submitImpression = endpoint(routes.submitImpression, async (request) => {
  const { dropped, settings, now, count, service } = request;
  const verified = await verifyToken(request);
  if (isRefusal(verified)) return verified;
  const { id: projectId, impressions = true, limits, probe = false } = settings.project;
  // Impressions of surveys that interrupt nobody are not limited.
  if (impressions && !probe && !isBeside(verified.survey)) {
    const windowMs = showWindowOf(limits);
    const surveys = settings.surveys.size;
    const shown = { projectId, claims: verified.claims, windowMs, surveys };
    if (await shows(service).record(shown, now)) count('shown');
  }
  return {
    ok: true as const,
    at: new Date(now).toISOString(),
    ...(dropped.length > 0 && { dropped: [...dropped] }),
  };
});

export const handler = serviceOnLambda(submitImpression.create);
