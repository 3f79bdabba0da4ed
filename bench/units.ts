/** Measures what a warm request of each route uses: capacity units and calls of DynamoDB, bytes, and time. */

import { randomUUID } from 'node:crypto';
import { ackScores } from '../functions/ack-scores.ts';
import { answerLink } from '../functions/answer-link.ts';
import { bootstrap } from '../functions/bootstrap.ts';
import { deferredAskLink } from '../functions/deferred-ask-link.ts';
import { erase } from '../functions/erase.ts';
import { exportResponses } from '../functions/export-responses.ts';
import { getResults } from '../functions/get-results.ts';
import { listComments } from '../functions/list-comments.ts';
import { listPendingScores } from '../functions/list-pending-scores.ts';
import { listSurveys } from '../functions/list-surveys.ts';
import { mintTokens } from '../functions/mint-tokens.ts';
import { reviseResponse } from '../functions/revise-response.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { showLink } from '../functions/show-link.ts';
import { submitDismissal } from '../functions/submit-dismissal.ts';
import { submitImpression } from '../functions/submit-impression.ts';
import { submitResponse } from '../functions/submit-response.ts';
import { median } from './figures.ts';
import { browserEvent, serve, TEXT } from './requests.ts';
import { createBenchLogger, meter, onStage, type Stage } from './stage.ts';

/** Answers that one request lists, exports or acknowledges. */
const PAGE = 20;
/** Answers of a respondent who is erased. The demo has at least as many surveys. */
const ANSWERS = 3;

/** Creates instances of functions. A request with a name is measured. */
async function createInstances(stage: Stage) {
  const client = stage.createClient();
  const takeUse = meter(client);
  let logBytes = 0;
  const log = createBenchLogger((line) => {
    logBytes += Buffer.byteLength(line) + 1;
  });
  const service = stage.compose(client, log);
  const tenant = await stage.tenant();
  type Sample = ReturnType<typeof takeUse> & { replyBytes: number; logBytes: number; ms: number };
  const samples = new Map<string, Sample[]>();

  function instance(endpoint: Endpoint) {
    const handle = serve(endpoint, service);
    return async (body: object, name?: string, query = '', more: object = {}) => {
      const event = { ...browserEvent(endpoint.route, body, tenant, query), ...more };
      takeUse();
      logBytes = 0;
      const startedAt = performance.now();
      const reply = await handle(event);
      const ms = performance.now() - startedAt;
      if (name !== undefined) {
        const sample = { ...takeUse(), replyBytes: Buffer.byteLength(reply.body ?? ''), logBytes, ms };
        samples.set(name, [...(samples.get(name) ?? []), sample]);
      }
      return reply.headers?.['content-type'] === 'application/json' && reply.isBase64Encoded !== true
        ? JSON.parse(reply.body ?? '')
        : {};
    };
  }

  /** An instance that serves the page of a link. */
  function page(endpoint: Endpoint) {
    const call = instance(endpoint);
    return (showToken: string, name?: string, form = '') =>
      call({}, name, '', { rawPath: `/l/${showToken}`, body: form });
  }

  /** Units and bytes of each name's first request, and the median time of all its requests. */
  const take = () =>
    [...samples].flatMap(([request, all]) => {
      const p50Ms = median(all.map(({ ms }) => ms));
      return all.slice(0, 1).map((sample) => ({ ...sample, request, p50Ms }));
    });
  return { tenant, instance, page, take, discard: () => samples.clear() };
}

/** @returns a row for each kind of request */
export function units(rounds: number) {
  return onStage(async (stage) => {
    const { tenant, instance, page, take, discard } = await createInstances(stage);
    const { publishableKey: key, surveys } = tenant;
    const surveyId = surveys[0]?.id ?? '';
    const boot = instance(bootstrap);
    const mint = instance(mintTokens);
    const respond = instance(submitResponse);
    const dismiss = instance(submitDismissal);
    const show = instance(submitImpression);
    const revise = instance(reviseResponse);
    const link = instance(deferredAskLink);
    const openLink = page(showLink);
    const postLink = page(answerLink);
    const listPending = instance(listPendingScores);
    const ack = instance(ackScores);
    const exportPage = instance(exportResponses);
    const eraseRespondent = instance(erase);
    const results = instance(getResults);
    const commentsPage = instance(listComments);
    const surveyList = instance(listSurveys);

    const createToken = async (userId: string, id = surveyId): Promise<string> =>
      (await boot({ key, userId })).showTokens[id];

    async function answerAndRevise(): Promise<void> {
      const shown = { key, surveyId, showToken: await createToken(randomUUID()) };
      await show(shown, 'submit-impression');
      await respond({ ...shown, rating: 9, text: TEXT }, 'submit-response');
      await revise({ ...shown, revision: 1, rating: 3, text: TEXT }, 'revise-response');
    }

    async function dismissOnce(): Promise<void> {
      const userId = randomUUID();
      await dismiss({ key, userId, surveyId, showToken: await createToken(userId) }, 'submit-dismissal');
    }

    async function answerByLink(): Promise<void> {
      const { showToken } = await link({ respondentId: randomUUID(), surveyId }, 'deferred-ask-link');
      await openLink(showToken, 'show-link');
      const form = new URLSearchParams({ rating: '9', text: TEXT });
      await postLink(showToken, 'answer-link', form.toString());
    }

    async function submitLinked(): Promise<string> {
      const sessionId = 'session';
      const { tokens } = await mint({ respondentId: randomUUID(), sessionId }, 'mint-tokens');
      const body = { key, sessionId, surveyId, showToken: tokens[surveyId], rating: 9, text: TEXT };
      return (await respond(body, 'submit-response, linked')).id;
    }

    async function deliverScores(): Promise<void> {
      const ids: string[] = [];
      for (let index = 0; index < PAGE; index += 1) ids.push(await submitLinked());
      await listPending({}, `list-pending-scores, a page of ${PAGE}`, `limit=${PAGE}`);
      await ack({ results: ids.map((id) => ({ id, state: 'delivered' })) }, `ack-scores, ${PAGE} results`);
    }

    async function eraseOnce(): Promise<void> {
      const userId = randomUUID();
      for (const { id } of surveys.slice(0, ANSWERS)) {
        await respond({ key, surveyId: id, showToken: await createToken(userId, id), rating: 1, text: TEXT });
      }
      await eraseRespondent({}, `erase, a respondent with ${ANSWERS} answers`, `respondentId=${userId}`);
    }

    async function round(): Promise<void> {
      await boot({ key, userId: randomUUID() }, 'bootstrap');
      await boot({ key }, 'bootstrap, no user id');
      await answerAndRevise();
      await dismissOnce();
      await answerByLink();
      await deliverScores();
      await exportPage({}, `export-responses, a page of ${PAGE}`, `limit=${PAGE}`);
      await results({}, 'get-results', `surveyId=${surveyId}`);
      await commentsPage({}, `list-comments, a page of ${PAGE}`, `surveyId=${surveyId}&limit=${PAGE}`);
      await surveyList({}, 'list-surveys');
      await eraseOnce();
    }

    // The first round is discarded: an instance reads settings once, and notes the use of a secret key once a day.
    await round();
    discard();
    for (let run = 0; run < rounds; run += 1) await round();
    return take();
  });
}
