/** What a warm request of each route asks of DynamoDB, by DynamoDB's own account, and how long it takes. */

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
import { tokens } from '../functions/runtime/compose.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { showLink } from '../functions/show-link.ts';
import { submitDismissal } from '../functions/submit-dismissal.ts';
import { submitImpression } from '../functions/submit-impression.ts';
import { submitResponse } from '../functions/submit-response.ts';
import { HOUR } from '../shared/domain/duration.ts';
import type { Plan } from './plan.ts';
import { browserEvent, serve, TEXT } from './requests.ts';
import { createBenchLogger, meter, onStage, type Stage } from './stage.ts';
import { median } from './statistics.ts';

/** Listed and acked at once, and the rows of an export's page. */
const PAGE = 20;
/** Requests a second: a bucket that never holds a whole permit. */
const NO_PERMIT = 0.001;
/** Of a respondent who is erased; the demo has as many surveys. */
const ANSWERS = 3;

/** Instances of functions, and what each request that has a name asks, answers and logs. */
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

  /** One instance of a function; what it is asked under a name is measured. */
  function instance(endpoint: Endpoint, status?: number) {
    const handle = serve(endpoint, service, status);
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

  /** The same of a page behind a link. */
  function page(endpoint: Endpoint) {
    const call = instance(endpoint);
    return (showToken: string, name?: string, form = '') =>
      call({}, name, '', { rawPath: `/l/${showToken}`, body: form });
  }

  /** Of each name the first request, and the median of the times of all. */
  const rows = () =>
    [...samples].map(([request, all]) => {
      const [
        { replyBytes = 0, logBytes: line = 0, calls = '', ms: _ = 0, ...use } = {
          'read units': 0,
          'write units': 0,
        },
      ] = all;
      const p50 = median(all.map(({ ms }) => ms));
      return { request, ...use, 'reply bytes': replyBytes, 'log bytes': line, 'p50 ms': p50, calls };
    });
  return { tenant, service, instance, page, rows };
}

export function units({ requests }: Plan) {
  return onStage(async (stage) => {
    const { tenant, service, instance, page, rows } = await createInstances(stage);
    const { publishableKey: key, surveys } = tenant;
    const surveyId = surveys[0]?.id ?? '';
    const boot = instance(bootstrap);
    const mint = instance(mintTokens);
    const respond = instance(submitResponse);
    const refused = instance(submitResponse, 429);
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

    /** One person is shown a survey, answers, and changes the answer. */
    async function submit(isMeasured = true): Promise<void> {
      const { showTokens } = await boot({ key, userId: randomUUID() });
      const shown = { key, surveyId, showToken: showTokens[surveyId] };
      const name = (of: string) => (isMeasured ? of : undefined);
      await show(shown, name('submit-impression'));
      await respond({ ...shown, rating: 9, text: TEXT }, name('submit-response'));
      await revise({ ...shown, revision: 1, rating: 3, text: TEXT }, name('revise-response'));
    }

    /** A link is made, opened, and answered. */
    async function answerByLink(isMeasured = true): Promise<void> {
      const name = (of: string) => (isMeasured ? of : undefined);
      const { showToken } = await link({ respondentId: randomUUID(), surveyId }, name('deferred-ask-link'));
      await openLink(showToken, name('show-link'));
      const form = new URLSearchParams({ rating: '9', text: TEXT });
      await postLink(showToken, name('answer-link'), form.toString());
    }

    async function submitLinked(name?: string): Promise<string> {
      const sessionId = 'session';
      const { tokens } = await mint({ respondentId: randomUUID(), sessionId });
      const body = { key, sessionId, surveyId, showToken: tokens[surveyId], rating: 9, text: TEXT };
      return (await respond(body, name)).id;
    }

    async function dismissOnce(name?: string): Promise<void> {
      const userId = randomUUID();
      const { showTokens } = await boot({ key, userId });
      await dismiss({ key, userId, surveyId, showToken: showTokens[surveyId] }, name);
    }

    async function eraseOnce(name?: string): Promise<void> {
      const userId = randomUUID();
      const { showTokens } = await boot({ key, userId });
      for (const { id } of surveys.slice(0, ANSWERS)) {
        await respond({ key, surveyId: id, showToken: showTokens[id], rating: 1, text: TEXT });
      }
      await eraseRespondent({}, name, `respondentId=${userId}`);
    }

    async function deliverScores(listName?: string, ackName?: string): Promise<void> {
      const ids: string[] = [];
      for (let index = 0; index < PAGE; index += 1) ids.push(await submitLinked());
      await listPending({}, listName, `limit=${PAGE}`);
      await ack({ results: ids.map((id) => ({ id, state: 'delivered' })) }, ackName);
    }

    const limited = await stage.tenant(undefined, { publishable: NO_PERMIT, secret: 0, address: 0 });

    /** Answers that their rate refuses: with a genuine token, with the same again, and with one that is forged. */
    async function answerBeyondRate(isMeasured = true): Promise<void> {
      const [survey] = limited.surveys;
      const now = Date.now();
      const grant = { surveyId: survey?.id ?? '', respondentId: randomUUID(), expiresAt: now + HOUR };
      const [showToken = ''] = await tokens(service).issue(limited.projectId, [grant], now);
      const body = {
        key: limited.publishableKey,
        surveyId: grant.surveyId,
        showToken,
        rating: 9,
        text: TEXT,
      };
      const name = (of: string) => (isMeasured ? `submit-response, beyond its rate: ${of}` : undefined);
      await respond(body, name('genuine'));
      await refused(body, name('used'));
      await refused({ ...body, showToken: `${showToken.slice(0, -2)}AA` }, name('forged'));
    }

    // What an instance does once, or once a day with a secret key, is done before anything is measured.
    await boot({ key });
    await submit(false);
    await submitLinked();
    await dismissOnce();
    await deliverScores();
    await exportPage({}, undefined, `limit=${PAGE}`);
    await eraseOnce();
    await answerByLink(false);
    await answerBeyondRate(false);
    await results({}, undefined, `surveyId=${surveyId}`);

    for (let run = 0; run < requests; run += 1) {
      await boot({ key, userId: randomUUID() }, 'bootstrap');
      await boot({ key }, 'bootstrap, no user id');
      await submit();
      await dismissOnce('submit-dismissal');
      await mint({ respondentId: randomUUID(), sessionId: 's' }, 'mint-tokens');
      await answerByLink();
      await answerBeyondRate();
      await exportPage({}, `export-responses, a page of ${PAGE}`, `limit=${PAGE}`);
      await results({}, 'get-results', `surveyId=${surveyId}`);
      await commentsPage({}, `list-comments, a page of ${PAGE}`, `surveyId=${surveyId}&limit=${PAGE}`);
      await surveyList({}, 'list-surveys');
      await eraseOnce(`erase, a respondent of ${ANSWERS} answers`);
    }
    for (let run = 0; run < requests; run += 1) await submitLinked('submit-response, linked');
    for (let run = 0; run < requests; run += 1) {
      await deliverScores(`list-pending-scores, a page of ${PAGE}`, `ack-scores, ${PAGE} results`);
    }

    return { tables: { requests: rows() } };
  });
}
