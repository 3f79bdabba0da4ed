import { expect } from 'vitest';
import { ackScores } from '../../../functions/ack-scores.ts';
import { answerLink } from '../../../functions/answer-link.ts';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { createPreview } from '../../../functions/create-preview.ts';
import { deferredAskLink } from '../../../functions/deferred-ask-link.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { handleContact } from '../../../functions/handle-contact.ts';
import { listContacts } from '../../../functions/list-contacts.ts';
import { listDefinitions } from '../../../functions/list-definitions.ts';
import { listPendingScores } from '../../../functions/list-pending-scores.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { putDefinitions } from '../../../functions/put-definitions.ts';
import { reviseResponse } from '../../../functions/revise-response.ts';
import type { Endpoint } from '../../../functions/runtime/endpoint.ts';
import { showLink } from '../../../functions/show-link.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitImpression } from '../../../functions/submit-impression.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { aLink } from '../fixtures/a-link.ts';
import { aToken, respond } from '../fixtures/answered.ts';
import { linkedAnswer } from '../fixtures/linked-answer.ts';
import { countShows } from '../fixtures/shown.ts';
import { surveyOf } from '../fixtures/tokens.ts';
import { scanAll } from '../scan-all.ts';
import type { CallOptions } from '../service/test-service.ts';
import { FAULT_ERASURES } from './fault-erasures.ts';
import { askAgain, type FaultCase, type FaultScenario } from './fault-scenario.ts';

function reading(
  endpoint: Endpoint,
  requestOf: (faultCase: FaultCase) => CallOptions,
  arrange: (faultCase: FaultCase) => Promise<unknown> = async () => undefined,
): FaultScenario {
  const scenario: FaultScenario = {
    name: endpoint.route.name,
    endpoint,
    success: 200,
    async prepare(faultCase) {
      await arrange(faultCase);
      const request = requestOf(faultCase);
      return { request, settle: async () => void (await askAgain(faultCase, scenario, request)) };
    },
  };
  return scenario;
}

function redeeming(endpoint: Endpoint, fields: object, usedStatus: number): FaultScenario {
  return {
    name: endpoint.route.name,
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
            // The first request stored an answer despite its 503.
            expect(next.status).toBe(usedStatus);
            expect(next.body.error.details).toMatchObject({ id: stored.id, at: stored.at });
          }
          expect(await rows()).toHaveLength(1);
        },
      };
    },
  };
}

const showing: FaultScenario = {
  name: submitImpression.route.name,
  endpoint: submitImpression,
  success: 201,
  async prepare(faultCase) {
    const { healthy, tenant } = faultCase;
    const showToken = await aToken(healthy, tenant, 'ann');
    const request = { body: { key: tenant.publishableKey, surveyId: surveyOf(tenant), showToken } };
    return {
      request,
      async settle(reply) {
        if (reply.status === 201) expect(await countShows(healthy, tenant)).toBe(1);
        await askAgain(faultCase, showing, request);
        expect(await countShows(healthy, tenant)).toBe(1);
      },
    };
  },
};

function revising(name: string, fields: object, expected: object): FaultScenario {
  const scenario: FaultScenario = {
    name: `${reviseResponse.route.name}, ${name}`,
    endpoint: reviseResponse,
    success: 200,
    async prepare(faultCase) {
      const { healthy, tenant } = faultCase;
      const sessionId = 'session';
      const { showToken, surveyId } = await respond(healthy, tenant, 'ann', { sessionId });
      const answer = { key: tenant.publishableKey, surveyId, showToken, sessionId };
      const request = { body: { ...answer, revision: 1, ...fields } };
      const stored = async () =>
        (await scanAll(healthy.table, tenant.project.id)).filter(({ tokenId }) => tokenId !== undefined);
      return {
        request,
        async settle(reply) {
          const [before] = await stored();
          const again = await askAgain(faultCase, scenario, request);
          const rows = await stored();
          expect(rows).toEqual([expect.objectContaining({ revision: 1, ...expected })]);
          if (reply.status === 200) expect(before).toEqual(rows[0]);
          if (before?.revision === 1) expect(again.body.at).toBe(before.revisedAt);
        },
      };
    },
  };
  return scenario;
}

const acknowledging: FaultScenario = {
  name: ackScores.route.name,
  endpoint: ackScores,
  success: 200,
  async prepare(faultCase) {
    const { healthy, tenant } = faultCase;
    const ids = [await linkedAnswer(healthy, tenant), await linkedAnswer(healthy, tenant)].map(
      ({ id }) => id,
    );
    const results = ids.map((id) => ({ id, state: 'delivered' }));
    const request = { secretKey: tenant.secretKey, body: { results } };
    return {
      request,
      async settle(reply) {
        if (reply.status === 200) expect(reply.body.updated).toBe(2);
        else await askAgain(faultCase, acknowledging, request);
        const left = await healthy.call(listPendingScores, { secretKey: tenant.secretKey });
        expect(left.body.scores).toEqual([]);
      },
    };
  },
};

const showingLink: FaultScenario = {
  name: showLink.route.name,
  endpoint: showLink,
  success: 200,
  async prepare(faultCase) {
    const path = await aLink(faultCase.healthy, faultCase.tenant);
    return { request: { path }, settle: async () => void (await askAgain(faultCase, showingLink, { path })) };
  },
};

const answeringLink: FaultScenario = {
  name: answerLink.route.name,
  endpoint: answerLink,
  success: 200,
  async prepare({ healthy, tenant }) {
    const request = { path: await aLink(healthy, tenant), rawBody: 'rating=8' };
    const countRows = async () =>
      (await scanAll(healthy.table, tenant.project.id)).filter(({ tokenId }) => tokenId !== undefined).length;
    return {
      request,
      async settle(reply) {
        const stored = await countRows();
        if (stored === 0) expect(reply.status).toBe(503);
        expect((await healthy.call(answerLink, request)).status).toBe(stored === 0 ? 200 : 409);
        expect(await countRows()).toBe(1);
      },
    };
  },
};

async function someAnswers({ healthy, tenant }: FaultCase): Promise<void> {
  for (const person of ['ann', 'ben', 'cleo']) await respond(healthy, tenant, person);
}

const seeingTo: FaultScenario = {
  name: handleContact.route.name,
  endpoint: handleContact,
  success: 200,
  async prepare(faultCase) {
    const { healthy, tenant } = faultCase;
    const { secretKey } = tenant;
    const { reply: given } = await respond(healthy, tenant, 'ann', { body: { followUpRequested: true } });
    const request = { secretKey, body: { id: given.body.id, handled: true, note: 'called' } };
    const noted = async () =>
      (await healthy.call(listContacts, { secretKey, query: { state: 'handled' } })).body.contacts;
    return {
      request,
      async settle(reply) {
        const before = await noted();
        if (reply.status === 200) expect(before).toHaveLength(1);
        await askAgain(faultCase, seeingTo, request);
        const after = await noted();
        expect(after).toMatchObject([{ handled: { note: 'called' } }]);
        if (before.length > 0) expect(after).toEqual(before);
      },
    };
  },
};

const publishing: FaultScenario = {
  name: putDefinitions.route.name,
  endpoint: putDefinitions,
  success: 200,
  async prepare(faultCase) {
    const { healthy, tenant } = faultCase;
    const { secretKey } = tenant;
    const read = async () => (await healthy.call(listDefinitions, { secretKey })).body;
    const { revision, surveys } = await read();
    const made = ['a', 'b'].map((slug) => ({ slug, type: 'nps', question: 'Q?' }));
    const request = { secretKey, body: { revision, surveys: made } };
    const logged = async () =>
      (await scanAll(healthy.table, tenant.project.id)).filter(({ type }) => type === 'survey-change').length;
    return {
      request,
      async settle(reply) {
        const isStored = (await logged()) === 1;
        if (reply.status === 200) expect(isStored).toBe(true);
        expect(await read()).toMatchObject(
          isStored ? { revision: revision + 1, source: 'console' } : { revision, surveys },
        );
        await askAgain(faultCase, publishing, request);
        expect((await read()).surveys).toHaveLength(surveys.length + 2);
        expect(await logged()).toBe(1);
      },
    };
  },
};

const previewing: FaultScenario = {
  name: createPreview.route.name,
  endpoint: createPreview,
  success: 201,
  async prepare(faultCase) {
    const { healthy, tenant } = faultCase;
    const survey = { slug: 'new', type: 'nps', question: 'Q?' };
    const request = { secretKey: tenant.secretKey, body: { survey } };
    return {
      request,
      async settle() {
        const { preview } = (await askAgain(faultCase, previewing, request)).body;
        const body = { key: tenant.publishableKey, preview };
        expect((await healthy.call(bootstrap, { body })).body).toMatchObject({ preview: true });
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
  reading(deferredAskLink, ({ tenant }) => ({
    secretKey: tenant.secretKey,
    body: { respondentId: 'ann', surveyId: surveyOf(tenant) },
  })),
  showingLink,
  answeringLink,
  redeeming(submitResponse, { rating: 8 }, 409),
  redeeming(submitDismissal, {}, 401),
  showing,
  revising('rated', { rating: 8, text: 'new' }, { rating: 8, text: 'new', scoreState: 'pending' }),
  revising('withdrawn', { withdraw: true }, { withdrawn: true }),
  revising(
    'asking to be contacted',
    { rating: 2, followUpRequested: true },
    { rating: 2, contactShard: expect.any(String), contactOrder: expect.any(String) },
  ),
  seeingTo,
  publishing,
  previewing,
  reading(listDefinitions, ({ tenant: { secretKey } }) => ({ secretKey })),
  reading(
    listContacts,
    ({ tenant: { secretKey } }) => ({ secretKey }),
    ({ healthy, tenant }) => respond(healthy, tenant, 'ann', { body: { followUpRequested: true } }),
  ),
  reading(
    listPendingScores,
    ({ tenant: { secretKey } }) => ({ secretKey }),
    async ({ healthy, tenant }) => {
      for (let index = 0; index < 3; index++) await linkedAnswer(healthy, tenant);
    },
  ),
  acknowledging,
  reading(exportResponses, ({ tenant: { secretKey } }) => ({ secretKey }), someAnswers),
  {
    ...reading(
      exportResponses,
      ({ tenant: { secretKey } }) => ({ secretKey, query: { limit: '2' } }),
      someAnswers,
    ),
    name: 'export-responses, paged',
  },
  {
    ...reading(
      exportResponses,
      ({ tenant: { secretKey } }) => ({ secretKey, query: { respondentId: 'ann' } }),
      someAnswers,
    ),
    name: 'export-responses, person',
  },
  ...FAULT_ERASURES,
];
