/** Measures what a warm request of each route uses, and computes the price of a million of them. */

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
import { browserEvent, createBenchLogger, meter, onStage, type Stage, serve, TEXT } from './stage.ts';

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

/** AWS list prices in US dollars, us-east-1, 2026-11-20, without free tiers and volume discounts. */
const PRICES = {
  /** aws.amazon.com/lambda/pricing, arm64, first tier. */
  lambdaRequest: 0.2 / 1e6,
  lambdaGbSecond: 0.0000133334,
  /** aws.amazon.com/api-gateway/pricing, HTTP API, first 300 million a month, 512 KB steps. */
  gatewayRequest: 1 / 1e6,
  gatewayStepBytes: 512 * 1_024,
  /** aws.amazon.com/dynamodb/pricing/on-demand, standard table class. */
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** aws.amazon.com/cloudwatch/pricing, ingested logs, standard class. */
  logGb: 0.5,
  /** aws.amazon.com/ec2/pricing/on-demand, data transfer to the internet, first 10 TB a month. */
  transferGb: 0.09,
} as const;

/** Memory of a function (lib/functions/service-function.ts). */
const MEMORY_GB = 1;
const MILLION = 1e6;
const GB = 1e9;

/** Requests of a typical product: fifty bootstraps lead to three impressions, one response and two dismissals. */
const TYPICAL_MIX: ReadonlyMap<string, number> = new Map([
  ['bootstrap', 50],
  ['submit-impression', 3],
  ['submit-response', 1],
  ['submit-dismissal', 2],
]);
const MIX_REQUESTS = [...TYPICAL_MIX.values()].reduce((sum, requests) => sum + requests, 0);
const MIX_NAME = `typical mix: ${[...TYPICAL_MIX].map(([request, part]) => `${part} ${request}`).join(', ')}`;

/**
 * Bytes that the platform logs for a request: the access log of API Gateway (lib/api.ts), and the start and
 * report lines of Lambda in JSON. Tracing adds more.
 */
const PLATFORM_LOG_BYTES = 578;

interface Use {
  readonly billedMs: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Logged by the function and the platform. */
  readonly logBytes: number;
  readonly replyBytes: number;
}

/** Dollars for a million requests, by service. */
export function partsOf({ billedMs, readUnits, writeUnits, logBytes, replyBytes }: Use) {
  const gatewaySteps = Math.max(1, Math.ceil(replyBytes / PRICES.gatewayStepBytes));
  return {
    gateway: MILLION * gatewaySteps * PRICES.gatewayRequest,
    lambda: MILLION * (PRICES.lambdaRequest + (billedMs / 1_000) * MEMORY_GB * PRICES.lambdaGbSecond),
    dynamodb: MILLION * (readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit),
    logs: ((MILLION * logBytes) / GB) * PRICES.logGb,
    transfer: ((MILLION * replyBytes) / GB) * PRICES.transferGb,
  };
}

const costs = (parts: ReturnType<typeof partsOf>) => ({
  '$ a million': Object.values(parts).reduce((sum, part) => sum + part, 0),
  ...parts,
});

/** @returns a row for the typical mix, then one for each kind of request */
export async function money(rounds: number) {
  const mix = { gateway: 0, lambda: 0, dynamodb: 0, logs: 0, transfer: 0 };
  const rows = (await units(rounds)).map((use) => {
    const { request, p50Ms, readUnits, writeUnits, calls } = use;
    const parts = partsOf({
      ...use,
      billedMs: Math.ceil(p50Ms),
      logBytes: use.logBytes + PLATFORM_LOG_BYTES,
    });
    const share = (TYPICAL_MIX.get(request) ?? 0) / MIX_REQUESTS;
    for (const part of ['gateway', 'lambda', 'dynamodb', 'logs', 'transfer'] as const)
      mix[part] += parts[part] * share;
    const used = { 'p50 ms': p50Ms, 'read units': readUnits, 'write units': writeUnits, calls };
    return { request, ...costs(parts), ...used };
  });
  const unused = { 'p50 ms': '', 'read units': '', 'write units': '', calls: '' };
  return [{ request: MIX_NAME, ...costs(mix), ...unused }, ...rows];
}
