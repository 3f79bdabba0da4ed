import { isRefusal, refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/sdk-routes.ts';
import { dismissalOf } from '../shared/domain/answers/show-token.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { answers } from './runtime/parts/answers.ts';
import { GENUINE_ANSWER } from './token/genuine-tokens.ts';
import { countAccepted, verifyToken } from './token/verify-token.ts';

export const submitDismissal = endpoint(
  routes.submitDismissal,
  async (request) => {
    const { input, dropped, settings, now, service } = request;
    const verified = await verifyToken(request);
    if (isRefusal(verified)) return verified;
    const { claims } = verified;
    const dismissal = dismissalOf({ project: settings.project, claims, now }, input);
    const outcome = await answers(service).redeem(dismissal);
    if (!outcome.stored) return refuse('token_used', { details: { ...outcome.usedBy } });
    countAccepted(request, claims);
    return {
      ok: true as const,
      id: outcome.id,
      at: dismissal.at,
      ...(dropped.length > 0 && { dropped: [...dropped] }),
    };
  },
  { genuine: GENUINE_ANSWER },
);

export const handler = serviceOnLambda(submitDismissal.create);
