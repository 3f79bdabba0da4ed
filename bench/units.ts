/** What a warm request of each route asks of DynamoDB, by DynamoDB's own account, and how long it takes. */

import { randomUUID } from 'node:crypto';
import { ackScores } from '../functions/ack-scores.ts';
import { bootstrap } from '../functions/bootstrap.ts';
import { erase } from '../functions/erase.ts';
import { exportResponses } from '../functions/export-responses.ts';
import { getResults } from '../functions/get-results.ts';
import { listComments } from '../functions/list-comments.ts';
import { listPendingScores } from '../functions/list-pending-scores.ts';
import { listSurveys } from '../functions/list-surveys.ts';
import { mintTokens } from '../functions/mint-tokens.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { submitDismissal } from '../functions/submit-dismissal.ts';
import { submitResponse } from '../functions/submit-response.ts';
import { countingRows } from './counting.ts';
import { meter } from './meter.ts';
import type { Plan } from './plan.ts';
import { browserEvent, serve, TEXT } from './requests.ts';
import { createBenchLogger, onStage } from './stage.ts';
import { median } from './statistics.ts';

/** Listed and acked at once, and the rows of an export's page. */
const PAGE = 20;
/** Of a respondent who is erased; the demo has as many surveys. */
const ANSWERS = 3;

export function units({ requests }: Plan) {
  return onStage(async (stage) => {
    const client = stage.createClient();
    const takeUse = meter(client);
    let logBytes = 0;
    const log = createBenchLogger((line) => {
      logBytes += Buffer.byteLength(line) + 1;
    });
    const service = stage.compose(client, log);
    const tenant = await stage.tenant();
    const { publishableKey: key, surveys } = tenant;
    const surveyId = surveys[0]?.id ?? '';

    type Sample = ReturnType<typeof takeUse> & { replyBytes: number; logBytes: number; ms: number };
    const samples = new Map<string, Sample[]>();

    /** One instance of a function; what it is asked under a name is measured. */
    function instance(endpoint: Endpoint) {
      const handle = serve(endpoint, service);
      return async (body: object, name?: string, query = '') => {
        const event = browserEvent(endpoint.route, body, tenant, query);
        takeUse();
        logBytes = 0;
        const startedAt = performance.now();
        const reply = await handle(event);
        const ms = performance.now() - startedAt;
        const text = reply.body ?? '';
        if (name !== undefined) {
          const sample = { ...takeUse(), replyBytes: Buffer.byteLength(text), logBytes, ms };
          samples.set(name, [...(samples.get(name) ?? []), sample]);
        }
        return reply.isBase64Encoded === true ? {} : JSON.parse(text);
      };
    }
    const boot = instance(bootstrap);
    const mint = instance(mintTokens);
    const respond = instance(submitResponse);
    const dismiss = instance(submitDismissal);
    const listPending = instance(listPendingScores);
    const ack = instance(ackScores);
    const exportPage = instance(exportResponses);
    const eraseRespondent = instance(erase);
    const results = instance(getResults);
    const commentsPage = instance(listComments);
    const surveyList = instance(listSurveys);

    async function submit(name?: string): Promise<void> {
      const { showTokens } = await boot({ key, userId: randomUUID() });
      await respond({ key, surveyId, showToken: showTokens[surveyId], rating: 9, text: TEXT }, name);
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

    // What an instance does once, or once a day with a secret key, is done before anything is measured.
    await boot({ key });
    await submitLinked();
    await dismissOnce();
    await deliverScores();
    await exportPage({}, undefined, `limit=${PAGE}`);
    await eraseOnce();
    await results({}, undefined, `surveyId=${surveyId}`);

    for (let run = 0; run < requests; run += 1) {
      await boot({ key, userId: randomUUID() }, 'bootstrap');
      await boot({ key }, 'bootstrap, no user id');
      await submit('submit-response');
      await dismissOnce('submit-dismissal');
      await mint({ respondentId: randomUUID(), sessionId: 's' }, 'mint-tokens');
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

    const rows = [...samples].flatMap(([request, all]) => {
      const [first] = all;
      if (first === undefined) return [];
      const { ms: _, replyBytes, logBytes: line, calls, ...use } = first;
      const p50 = median(all.map(({ ms }) => ms));
      return [{ request, ...use, 'reply bytes': replyBytes, 'log bytes': line, 'p50 ms': p50, calls }];
    });
    return { tables: { requests: rows, counting: await countingRows(stage) } };
  });
}
