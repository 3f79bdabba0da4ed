import { isRefusal, refuse } from '../shared/contract/errors.ts';
import { routes } from '../shared/contract/routes.ts';
import { dismissalOf } from '../shared/domain/answer.ts';
import { endpoint } from './runtime/endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { countAccepted } from './token/count-accepted.ts';
import { verifyToken } from './token/verify-token.ts';

/** Records that a survey was waved away and uses its token up, in one conditional write. */
export const submitDismissal = endpoint(routes.submitDismissal, {
  prepare: async () => undefined,

  async handle({ input, settings, now, count }, deps) {
    const verified = await verifyToken(input, settings, now, deps);
    if (isRefusal(verified)) return verified;
    const projectId = settings.project.id;
    const id = await deps.respondents.answerId(projectId, verified.claims);
    const dismissal = dismissalOf({ id, projectId, claims: verified.claims, writeId: deps.writeId(), now });
    const outcome = await deps.respondents.redeem(dismissal);
    if (!outcome.stored) return refuse('token_used', { details: { ...outcome.usedBy } });
    countAccepted(input, verified.claims, count);
    return { ok: true as const, id, at: dismissal.at };
  },
});

export const handler = onLambda(submitDismissal);
