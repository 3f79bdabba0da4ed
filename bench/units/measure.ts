/** What a warm request of each route asks of DynamoDB, by DynamoDB's own account. */

import { randomUUID } from 'node:crypto';
import { ackScores } from '../../functions/ack-scores.ts';
import { bootstrap } from '../../functions/bootstrap.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { createDependencies } from '../../functions/runtime/dependencies.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { lambdaContext } from '../../local/lambda-context.ts';
import { createMeteredClient } from '../metered-client.ts';
import { SECRETS, type Stage } from '../stage.ts';
import { TEXT } from '../warm/floor.ts';
import { gatewayEvent } from '../warm/gateway-event.ts';

export interface RouteUnits {
  readonly request: string;
  readonly route: string;
  readonly calls: string;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly replyBytes: number;
  /** Of the function's own line. */
  readonly logBytes: number;
}

/** Acked and listed at once. */
const SCORES = 20;

export async function measureUnits(stage: Stage): Promise<RouteUnits[]> {
  const metered = createMeteredClient(stage.endpoint);
  let logBytes = 0;
  const log = createLogger((line) => {
    logBytes += Buffer.byteLength(line);
  });
  const deps = createDependencies(stage.environment, SECRETS, { client: metered.client, log });
  const { publishableKey: key, secretKey, surveys } = await stage.tenant();
  const surveyId = surveys[0]?.id ?? '';
  const measured: RouteUnits[] = [];

  async function call(endpoint: Endpoint, body: object, request?: string, query = '') {
    const secret = endpoint.route.key === 'secret' ? secretKey : undefined;
    const event = { ...gatewayEvent(endpoint.route, body, secret), rawQueryString: query };
    metered.take();
    logBytes = 0;
    const reply = await endpoint.create(deps)(event, lambdaContext(endpoint.route.name, 10_000));
    const use = metered.take();
    const text = reply.body ?? '';
    if (request !== undefined) {
      const replyBytes = Buffer.byteLength(text);
      measured.push({ request, route: endpoint.route.name, ...use, replyBytes, logBytes });
    }
    return JSON.parse(text);
  }

  async function submit(linked: boolean, request?: string): Promise<string> {
    const user = randomUUID();
    const sessionId = 'session';
    const issued = linked
      ? (await call(mintTokens, { respondentId: user, sessionId })).tokens
      : (await call(bootstrap, { key, userId: user })).showTokens;
    const body = { key, surveyId, showToken: issued[surveyId], rating: 9, text: TEXT };
    const { id } = await call(submitResponse, { ...body, ...(linked && { sessionId }) }, request);
    return id;
  }

  await call(bootstrap, { key });
  await call(bootstrap, { key, userId: randomUUID() }, 'bootstrap');
  await call(bootstrap, { key }, 'bootstrap, nobody');
  await call(mintTokens, { respondentId: randomUUID(), sessionId: 's' }, 'mint');
  await submit(false, 'response');
  await submit(true, 'response, linked');
  const userId = randomUUID();
  const { showTokens } = await call(bootstrap, { key, userId });
  await call(submitDismissal, { key, userId, surveyId, showToken: showTokens[surveyId] }, 'dismissal');
  const ids = [];
  for (let index = 0; index < SCORES; index += 1) ids.push(await submit(true));
  await call(listPendingScores, {}, `pending scores, a page of ${SCORES}`, `limit=${SCORES}`);
  const results = ids.map((id) => ({ id, state: 'delivered' }));
  await call(ackScores, { results }, `ack of ${SCORES}`);
  metered.client.destroy();
  return measured;
}
