/** One request of each route with a key, whose outcome can be told from the table and from the routes themselves. */

import { expect } from 'vitest';
import { ackScores } from '../../functions/ack-scores.ts';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import type { AllDependencies } from '../../local/endpoints.ts';
import { aToken, respond } from './answered.ts';
import { linkedAnswer } from './linked-answer.ts';
import { scanAll } from './scan-all.ts';
import type { CallOptions, Reply, Tenant, TestService } from './test-service.ts';
import { surveyOf } from './tokens.ts';

interface Stage {
  /** Calls through here go wrong. */
  readonly ailing: TestService;
  /** The same table, reached directly. */
  readonly healthy: TestService;
  readonly tenant: Tenant;
}

export interface Play {
  readonly request: CallOptions;
  /** What must hold once the faults are over, whatever the reply was; sees to it by asking again where it said 503. */
  readonly settle: (reply: Reply) => Promise<void>;
}

export interface FaultScenario {
  readonly endpoint: Endpoint<AllDependencies>;
  readonly success: number;
  readonly prepare: (stage: Stage) => Promise<Play>;
}

const again = async ({ healthy }: Stage, { endpoint, success }: FaultScenario, request: CallOptions) => {
  const reply = await healthy.call(endpoint, request);
  expect(reply.status).toBe(success);
  return reply;
};

/** A route that only reads: after the faults it answers as if nothing had been. */
function reading(
  endpoint: Endpoint<AllDependencies>,
  requestOf: (stage: Stage) => CallOptions,
  arrange: (stage: Stage) => Promise<unknown> = async () => undefined,
): FaultScenario {
  const scenario: FaultScenario = {
    endpoint,
    success: 200,
    async prepare(stage) {
      await arrange(stage);
      const request = requestOf(stage);
      return { request, settle: async () => void (await again(stage, scenario, request)) };
    },
  };
  return scenario;
}

/** A token is used up by a stored answer and by nothing else. */
function redeeming(endpoint: Endpoint<AllDependencies>, fields: object, usedStatus: number): FaultScenario {
  return {
    endpoint,
    success: 201,
    async prepare({ healthy, tenant }) {
      const showToken = await aToken(healthy, tenant, 'ann');
      const surveyId = surveyOf(tenant);
      const request = {
        body: { key: tenant.publishableKey, surveyId, showToken, userId: 'ann', ...fields },
      };
      const rows = async () =>
        (await scanAll(healthy.table, tenant.project.id)).filter(({ tokenId }) => tokenId !== undefined);
      return {
        request,
        async settle(reply) {
          const [stored, ...more] = await rows();
          expect(more).toEqual([]);
          const next = await healthy.call(endpoint, request);
          if (stored === undefined) {
            expect(reply.status).toBe(503);
            expect(next.status).toBe(201);
          } else {
            if (reply.status === 201) expect(reply.body).toMatchObject({ id: stored.id, at: stored.at });
            // What was stored behind a 503 shows its own id to whoever asks again.
            expect(next.status).toBe(usedStatus);
            expect(next.body.error.details).toMatchObject({ id: stored.id, at: stored.at });
          }
          expect(await rows()).toHaveLength(1);
        },
      };
    },
  };
}

const acknowledging: FaultScenario = {
  endpoint: ackScores,
  success: 200,
  async prepare(stage) {
    const { healthy, tenant } = stage;
    const ids = [await linkedAnswer(healthy, tenant), await linkedAnswer(healthy, tenant)].map(
      ({ id }) => id,
    );
    const results = ids.map((id) => ({ id, state: 'delivered' }));
    const request = { secretKey: tenant.secretKey, body: { results } };
    return {
      request,
      async settle(reply) {
        if (reply.status === 200) expect(reply.body.updated).toBe(2);
        else await again(stage, acknowledging, request);
        const left = await healthy.call(listPendingScores, { secretKey: tenant.secretKey });
        expect(left.body.scores).toEqual([]);
      },
    };
  },
};

const erasing: FaultScenario = {
  endpoint: erase,
  success: 200,
  async prepare(stage) {
    const { healthy, tenant } = stage;
    const { showToken, surveyId } = await respond(healthy, tenant, 'ann');
    const request = { secretKey: tenant.secretKey, query: { respondentId: 'ann' } };
    return {
      request,
      async settle(reply) {
        if (reply.status !== 200) await again(stage, erasing, request);
        const { secretKey, publishableKey: key } = tenant;
        const left = await healthy.call(exportResponses, { secretKey, query: { respondentId: 'ann' } });
        expect(left.body.count).toBe(0);
        const { body } = await healthy.call(bootstrap, { body: { key, userId: 'ann' } });
        expect(body.suppression).toEqual([surveyId]);
        const reuse = await healthy.call(submitResponse, { body: { key, surveyId, showToken, rating: 1 } });
        expect(reuse.status).toBe(409);
      },
    };
  },
};

export const FAULT_SCENARIOS: readonly FaultScenario[] = [
  reading(bootstrap, ({ tenant }) => ({ body: { key: tenant.publishableKey, userId: 'ann' } })),
  reading(mintTokens, ({ tenant: { secretKey } }) => ({
    secretKey,
    body: { respondentId: 'ann', sessionId: 'session' },
  })),
  redeeming(submitResponse, { rating: 8 }, 409),
  redeeming(submitDismissal, {}, 401),
  reading(
    listPendingScores,
    ({ tenant: { secretKey } }) => ({ secretKey }),
    async ({ healthy, tenant }) => {
      for (let index = 0; index < 3; index++) await linkedAnswer(healthy, tenant);
    },
  ),
  acknowledging,
  reading(
    exportResponses,
    ({ tenant: { secretKey } }) => ({ secretKey }),
    async ({ healthy, tenant }) => {
      for (const person of ['ann', 'ben', 'cleo']) await respond(healthy, tenant, person);
    },
  ),
  erasing,
];
