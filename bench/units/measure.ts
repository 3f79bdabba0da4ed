/** What a warm request of each route asks of DynamoDB, by DynamoDB's own account, and how long it takes. */

import { randomUUID } from 'node:crypto';
import { ackScores } from '../../functions/ack-scores.ts';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { createErasureDependencies } from '../../functions/runtime/erasure-dependencies.ts';
import { createExportDependencies } from '../../functions/runtime/export-dependencies.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { lambdaContext } from '../../local/lambda-context.ts';
import { createMeteredClient } from '../metered-client.ts';
import { METRICS_NAMESPACE, SECRETS, type Stage } from '../stage.ts';
import { median } from '../statistics.ts';
import { TEXT } from '../warm/floor.ts';
import { gatewayEvent } from '../warm/gateway-event.ts';

export interface RequestUnits {
  readonly request: string;
  readonly route: string;
  readonly calls: string;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly replyBytes: number;
  /** Of the function's own line. */
  readonly logBytes: number;
  /** The median of {@link RUNS} requests, one at a time, against nothing; milliseconds. */
  readonly p50Ms: number;
}

const RUNS = 15;
/** Listed and acked at once, and the rows of an export's page. */
const SCORES = 20;
/** Of a person who is erased. */
const ANSWERS = 3;

export async function measureUnits(stage: Stage): Promise<RequestUnits[]> {
  const metered = createMeteredClient(stage.endpoint);
  let logBytes = 0;
  const log = createLogger(
    (line) => {
      logBytes += Buffer.byteLength(line) + 1;
    },
    { metricsNamespace: METRICS_NAMESPACE },
  );
  const { environment } = stage;
  const seams = { client: metered.client, log };
  const starter = { start: () => Promise.reject(new Error('the bench starts no purge')) };
  const deps = {
    ...createErasureDependencies(environment, SECRETS, { ...seams, starter }),
    ...createExportDependencies(environment, SECRETS, seams),
  };
  const { publishableKey: key, secretKey, surveys } = await stage.tenant();
  const surveyIds = surveys.map(({ id }) => id);
  const surveyId = surveyIds[0] ?? '';
  const samples = new Map<string, RequestUnits[]>();

  /** One instance: its first request is a cold one, whose log line says so. */
  function served(endpoint: Endpoint<typeof deps>) {
    const { route } = endpoint;
    const handler = endpoint.create(deps);
    return async (body: object, request?: string, query = '') => {
      const event = gatewayEvent(route, body, route.key === 'secret' ? secretKey : undefined);
      metered.take();
      logBytes = 0;
      const startedAt = performance.now();
      const reply = await handler({ ...event, rawQueryString: query }, lambdaContext(route.name, 10_000));
      const p50Ms = performance.now() - startedAt;
      const use = metered.take();
      const text = reply.body ?? '';
      if (reply.statusCode !== route.success.status) throw new Error(`${route.name}: ${text}`);
      if (request !== undefined) {
        const replyBytes = Buffer.byteLength(text);
        const sample = { request, route: route.name, ...use, replyBytes, logBytes, p50Ms };
        samples.set(request, [...(samples.get(request) ?? []), sample]);
      }
      return reply.isBase64Encoded === true ? {} : JSON.parse(text);
    };
  }

  const boot = served(bootstrap);
  const mint = served(mintTokens);
  const respond = served(submitResponse);
  const dismiss = served(submitDismissal);
  const list = served(listPendingScores);
  const ack = served(ackScores);
  const exported = served(exportResponses);
  const erased = served(erase);

  async function submit(linked: boolean, request?: string): Promise<string> {
    const userId = randomUUID();
    const sessionId = 'session';
    const issued = linked
      ? (await mint({ respondentId: userId, sessionId })).tokens
      : (await boot({ key, userId })).showTokens;
    const body = { key, surveyId, showToken: issued[surveyId], rating: 9, text: TEXT };
    const { id } = await respond({ ...body, ...(linked && { sessionId }) }, request);
    return id;
  }

  async function dismissOnce(request?: string): Promise<void> {
    const userId = randomUUID();
    const { showTokens } = await boot({ key, userId });
    await dismiss({ key, userId, surveyId, showToken: showTokens[surveyId] }, request);
  }

  async function eraseOnce(request?: string): Promise<void> {
    const userId = randomUUID();
    const { showTokens } = await boot({ key, userId });
    for (const id of surveyIds.slice(0, ANSWERS)) {
      await respond({ key, surveyId: id, showToken: showTokens[id], rating: 1, text: TEXT });
    }
    await erased({}, request, `respondentId=${userId}`);
  }

  async function scores(request?: { readonly list: string; readonly ack: string }): Promise<void> {
    const ids: string[] = [];
    for (let index = 0; index < SCORES; index += 1) ids.push(await submit(true));
    await list({}, request?.list, `limit=${SCORES}`);
    await ack({ results: ids.map((id) => ({ id, state: 'delivered' })) }, request?.ack);
  }

  // What is done once by an instance, or once a day with a secret key, is done before anything is measured.
  await boot({ key });
  await submit(true);
  await dismissOnce();
  await scores();
  await exported({}, undefined, `limit=${SCORES}`);
  await eraseOnce();

  for (let run = 0; run < RUNS; run += 1) {
    await boot({ key, userId: randomUUID() }, 'bootstrap');
    await boot({ key }, 'bootstrap, nobody');
    await mint({ respondentId: randomUUID(), sessionId: 's' }, 'mint');
    await submit(false, 'response');
    await dismissOnce('dismissal');
    await exported({}, `export, a page of ${SCORES}`, `limit=${SCORES}`);
    await eraseOnce(`erase, a person of ${Math.min(ANSWERS, surveyIds.length)} answers`);
  }
  for (let run = 0; run < RUNS; run += 1) await submit(true, 'response, linked');
  for (let run = 0; run < RUNS; run += 1) {
    await scores({ list: `pending scores, a page of ${SCORES}`, ack: `ack of ${SCORES}` });
  }
  metered.client.destroy();
  return [...samples.values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [{ ...first, p50Ms: median(all.map(({ p50Ms }) => p50Ms)) }];
  });
}
