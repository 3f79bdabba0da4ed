import { isRefusal } from '../../shared/contract/errors.ts';
import { isExpired } from '../../shared/domain/answers/show-token.ts';
import { BoundedMap } from '../../shared/domain/memory.ts';
import type { Genuine, PresentedToken } from '../runtime/authorise.ts';
import { part, tokens } from '../runtime/compose.ts';

const MOST_BEYOND_RATE = 4;
const MOST_TOKENS_REMEMBERED = 4_096;

const beyondRate = /* @__PURE__ */ part(() => new BoundedMap<string, number>(MOST_TOKENS_REMEMBERED));

/**
 * A token is genuine if it is valid for the project and survey, not expired, and not known to be used. Beyond the rate,
 * each instance admits a token a few times. Retries after a 503 pass, but one token cannot use up the rate.
 */
function genuine(use: string): Genuine {
  // These characters are part of the token's seal.
  const keyOf = ({ projectId, showToken }: PresentedToken) => `${use} ${projectId} ${showToken.slice(-32)}`;
  return {
    unseal: ({ projectId, showToken, service }) => tokens(service).unseal(projectId, showToken),
    async couldStore({ unsealed, surveyId, now }) {
      const { claims } = (await unsealed()) ?? {};
      if (claims === undefined || isExpired(claims, now)) return false;
      return surveyId === undefined || claims.surveyId === surveyId;
    },
    passes(request) {
      const [key, known] = [keyOf(request), beyondRate(request.service)];
      const taken = known.get(key) ?? 0;
      if (taken < MOST_BEYOND_RATE) known.set(key, taken + 1);
      return taken < MOST_BEYOND_RATE;
    },
    note(request, reply) {
      const isUsed = isRefusal(reply) ? reply.refused === 'token_used' : use === 'answer';
      if (isUsed) beyondRate(request.service).set(keyOf(request), MOST_BEYOND_RATE);
    },
  };
}

export const GENUINE_ANSWER = genuine('answer');
export const GENUINE_REVISION = genuine('revision');
