import { isRefusal, refuse } from '../shared/contract/errors.ts';
import { routes } from '../shared/contract/routes.ts';
import { responseOf } from '../shared/domain/answer.ts';
import { isOnScale } from '../shared/domain/survey.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { countAccepted } from './token/count-accepted.ts';
import { verifyToken } from './token/verify-token.ts';

/** Stores a rating and uses its token up, in one conditional write. */
export const submitResponse = endpoint(routes.submitResponse, {
  prepare: async () => undefined,

  async handle({ input, settings, now, count }, deps) {
    const verified = await verifyToken(input, settings, now, deps);
    if (isRefusal(verified)) return verified;
    const { claims, survey } = verified;
    if (!isOnScale(input.rating, survey.content.type)) return refuse('rating_out_of_range');

    const projectId = settings.project.id;
    const id = await deps.respondents.answerId(projectId, claims);
    const { showToken: _token, surveyId: _survey, userId: _claimedId, key: _key, ...submission } = input;
    const response = responseOf({ id, projectId, claims, writeId: deps.writeId(), now }, submission);
    const outcome = await deps.respondents.redeem(response);
    if (!outcome.stored) return refuse('token_used', { details: { ...outcome.usedBy } });
    countAccepted(input, verified.claims, count);
    return { ok: true as const, id, at: response.at };
  },
});

export const handler = onLambda(submitResponse);
