/**
 * Requests with which a handler makes all its calls: cold and warm starts, success, and error replies. A route without
 * an entry is called with its example, cold and warm.
 */

import { ackScores } from '../../functions/ack-scores.ts';
import { answerLink } from '../../functions/answer-link.ts';
import { bootstrap } from '../../functions/bootstrap.ts';
import { createPreview } from '../../functions/create-preview.ts';
import { deferredAskLink } from '../../functions/deferred-ask-link.ts';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { getResults } from '../../functions/get-results.ts';
import { handleContact } from '../../functions/handle-contact.ts';
import { listComments } from '../../functions/list-comments.ts';
import { listContacts } from '../../functions/list-contacts.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { listSurveys } from '../../functions/list-surveys.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { putDefinitions } from '../../functions/put-definitions.ts';
import { reviseResponse } from '../../functions/revise-response.ts';
import { serveConsoleFile } from '../../functions/serve-console-file.ts';
import { serveOpenapi } from '../../functions/serve-openapi.ts';
import { serveResultsPage } from '../../functions/serve-results-page.ts';
import { showLink } from '../../functions/show-link.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { loadEndpoints } from '../../local/endpoints.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { respond } from '../support/fixtures/answered.ts';
import { exampleRequest } from '../support/fixtures/example-request.ts';
import { linkedAnswer } from '../support/fixtures/linked-answer.ts';
import type { Reply, Tenant, TestService } from '../support/service/test-service.ts';

export interface Scene {
  /** A cold instance whose calls are recorded. */
  readonly service: TestService;
  /** Another instance on the same table, unrecorded. */
  readonly other: TestService;
  readonly tenant: Tenant;
  readonly surveyId: string;
}

export interface Scenario {
  /** By default, any status below 500. */
  readonly statuses?: readonly number[];
  readonly run: (scene: Scene) => Promise<Reply[]>;
}

async function aToken({ other, tenant, surveyId }: Scene): Promise<string> {
  const { body } = await other.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
  return body.showTokens[surveyId];
}

async function aLink({ other, tenant: { secretKey }, surveyId }: Scene): Promise<string> {
  const body = { respondentId: 'ann', surveyId, sessionId: 'session' };
  const reply = await other.call(deferredAskLink, { secretKey, body });
  return `/l/${reply.body.showToken}`;
}

async function inTurn<Given>(call: (given: Given) => Promise<Reply>, ...each: Given[]): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const given of each) replies.push(await call(given));
  return replies;
}

const twice = async (call: () => Promise<Reply>): Promise<Reply[]> => [await call(), await call()];

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  [bootstrap.route.name]: {
    statuses: [200, 200, 200, 401],
    async run({ service, other, tenant: { publishableKey: key, secretKey } }) {
      const call = (body: object) => service.call(bootstrap, { body });
      const survey = { slug: 'new', type: 'nps', question: 'Q?' };
      const { preview } = (await other.call(createPreview, { secretKey, body: { survey } })).body;
      return inTurn(
        call,
        { key, userId: 'ann' },
        { key, userId: 'ann' },
        { key, preview },
        { key: `${key.slice(0, -4)}none`, userId: 'ann' },
      );
    },
  },
  [submitResponse.route.name]: {
    statuses: [201, 409, 401],
    async run(scene) {
      const { service, tenant, surveyId } = scene;
      const submission = { key: tenant.publishableKey, surveyId, rating: 9 };
      const call = (showToken: string) =>
        service.call(submitResponse, { body: { ...submission, showToken } });
      const token = await aToken(scene);
      return inTurn(call, token, token, 'none');
    },
  },
  [submitDismissal.route.name]: {
    statuses: [201, 401],
    async run(scene) {
      const { service, tenant, surveyId } = scene;
      const showToken = await aToken(scene);
      const body = { key: tenant.publishableKey, surveyId, showToken, userId: 'ann' };
      const call = () => service.call(submitDismissal, { body });
      return twice(call);
    },
  },
  [submitImpression.route.name]: {
    statuses: [201, 201],
    async run(scene) {
      const { service, tenant, surveyId } = scene;
      const showToken = await aToken(scene);
      const body = { key: tenant.publishableKey, surveyId, showToken };
      const call = () => service.call(submitImpression, { body });
      return twice(call);
    },
  },
  [reviseResponse.route.name]: {
    statuses: [200, 200, 409],
    async run(scene) {
      const { service, other, tenant, surveyId } = scene;
      const showToken = await aToken(scene);
      const answer = { key: tenant.publishableKey, surveyId, showToken };
      await other.call(submitResponse, { body: { ...answer, rating: 9 } });
      const call = (fields: object) => service.call(reviseResponse, { body: { ...answer, ...fields } });
      return inTurn(
        call,
        { revision: 1, rating: 3 },
        { revision: 1, rating: 3 },
        { revision: 1, withdraw: true },
      );
    },
  },
  [mintTokens.route.name]: {
    statuses: [200, 200],
    run({ service, tenant: { secretKey } }) {
      const body = { respondentId: 'ann', sessionId: 'session' };
      const call = () => service.call(mintTokens, { secretKey, body });
      return twice(call);
    },
  },
  [deferredAskLink.route.name]: {
    statuses: [200, 200],
    run({ service, tenant: { secretKey }, surveyId }) {
      const body = { respondentId: 'ann', surveyId, sessionId: 'session' };
      const call = () => service.call(deferredAskLink, { secretKey, body });
      return twice(call);
    },
  },
  [showLink.route.name]: {
    statuses: [200, 200, 404],
    async run(scene) {
      const path = await aLink(scene);
      const call = (at: string) => scene.service.call(showLink, { path: at });
      return inTurn(call, path, path, '/l/none');
    },
  },
  [answerLink.route.name]: {
    statuses: [200, 409, 404],
    async run(scene) {
      const path = await aLink(scene);
      const call = (at: string) => scene.service.call(answerLink, { path: at, rawBody: 'rating=3' });
      return inTurn(call, path, path, '/l/none');
    },
  },
  [listPendingScores.route.name]: {
    statuses: [200, 200],
    async run({ service, other, tenant }) {
      await linkedAnswer(other, tenant);
      await linkedAnswer(other, tenant);
      const { secretKey } = tenant;
      const query = { limit: '1', includeFailed: 'true' };
      const first = await service.call(listPendingScores, { secretKey, query });
      const { nextCursor: cursor } = first.body;
      return [first, await service.call(listPendingScores, { secretKey, query: { ...query, cursor } })];
    },
  },
  [ackScores.route.name]: {
    statuses: [200, 200],
    async run({ service, other, tenant }) {
      const { id } = await linkedAnswer(other, tenant);
      const { secretKey } = tenant;
      const call = (results: object[]) => service.call(ackScores, { secretKey, body: { results } });
      return inTurn(
        call,
        [{ id, state: 'failed', error: 'down' }],
        [
          { id, state: 'delivered' },
          { id: 'none', state: 'delivered' },
        ],
      );
    },
  },
  [exportResponses.route.name]: {
    statuses: [200, 200],
    async run({ service, other, tenant }) {
      await respond(other, tenant, 'ann');
      const { secretKey } = tenant;
      const call = (query: Record<string, string>) => service.call(exportResponses, { secretKey, query });
      return inTurn(call, {}, { respondentId: 'ann', limit: '1' });
    },
  },
  [erase.route.name]: {
    statuses: [200, 200, 200],
    async run(scene) {
      const { service, other, tenant } = scene;
      const { secretKey, surveys } = tenant;
      const surveySlug = surveys[0]?.content.slug ?? '';
      await respond(other, tenant, 'ann');
      await respond(other, tenant, 'bob');
      await respond(other, tenant, 'cy');
      const call = (query: Record<string, string>) => service.call(erase, { secretKey, query });
      const first = await call({ respondentId: 'ann' });
      // Later the token has expired, and the row is deleted.
      service.clock.advance(4 * DAY);
      return [first, ...(await inTurn(call, { respondentId: 'bob' }, { surveySlug }))];
    },
  },
  [getResults.route.name]: {
    statuses: [200, 404],
    async run({ service, tenant: { secretKey }, surveyId }) {
      const call = (query: Record<string, string>) => service.call(getResults, { secretKey, query });
      return inTurn(call, { surveyId, segment: 'identityKind' }, { surveySlug: 'none' });
    },
  },
  [listComments.route.name]: {
    statuses: [200, 200],
    async run({ service, other, tenant, surveyId }) {
      const body = { text: 'so it was' };
      for (const person of ['ann', 'bob']) await respond(other, tenant, person, { body });
      const { secretKey } = tenant;
      const query = { surveyId, limit: '1' };
      const first = await service.call(listComments, { secretKey, query });
      const { nextCursor: cursor } = first.body;
      return [first, await service.call(listComments, { secretKey, query: { ...query, cursor } })];
    },
  },
  [listContacts.route.name]: {
    statuses: [200, 200],
    async run({ service, other, tenant }) {
      const body = { followUpRequested: true };
      for (const person of ['ann', 'bob']) await respond(other, tenant, person, { body });
      const { secretKey } = tenant;
      const query = { limit: '1' };
      const first = await service.call(listContacts, { secretKey, query });
      const { nextCursor: cursor } = first.body;
      return [first, await service.call(listContacts, { secretKey, query: { ...query, cursor } })];
    },
  },
  [handleContact.route.name]: {
    statuses: [200, 200],
    async run({ service, other, tenant }) {
      const { reply } = await respond(other, tenant, 'ann', { body: { followUpRequested: true } });
      const { secretKey } = tenant;
      const call = (fields: object) =>
        service.call(handleContact, { secretKey, body: { id: reply.body.id, ...fields } });
      return inTurn(call, { handled: true }, { handled: false });
    },
  },
  [putDefinitions.route.name]: {
    statuses: [200, 200, 409],
    run({ service, tenant: { secretKey } }) {
      const call = (question: string) => {
        const body = { revision: 1, surveys: [{ slug: 'new', type: 'nps', question }] };
        return service.call(putDefinitions, { secretKey, body });
      };
      return inTurn(call, 'Q?', 'Q?', 'Another?');
    },
  },
  [listSurveys.route.name]: {
    statuses: [200],
    run: async ({ service, tenant: { secretKey } }) => [await service.call(listSurveys, { secretKey })],
  },
  [serveOpenapi.route.name]: {
    statuses: [200],
    run: async ({ service }) => [await service.call(serveOpenapi)],
  },
  [serveConsoleFile.route.name]: {
    statuses: [404],
    run: async ({ service }) => [await service.call(serveConsoleFile)],
  },
  [serveResultsPage.route.name]: {
    statuses: [200],
    run: async ({ service }) => [await service.call(serveResultsPage)],
  },
};

/** Calls of each served route, by route name. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map(
  (await loadEndpoints()).map((endpoint) => [
    endpoint.route.name,
    SCENARIOS[endpoint.route.name] ?? {
      run({ service, tenant }) {
        const { route } = endpoint;
        const key = route.key === 'secret' ? tenant.secretKey : tenant.publishableKey;
        const call = () => service.call(endpoint, exampleRequest(route, key));
        return twice(call);
      },
    },
  ]),
);
