/** Requests per second of the local service over HTTP, beside what its emulator gives the bare SDK. */

import { randomBytes, randomUUID } from 'node:crypto';
import autocannon, { type Request } from 'autocannon';
import { createShowTokens } from '../../functions/runtime/show-tokens.ts';
import { LOCAL_TABLE_NAME } from '../../local/running-instance.ts';
import { respondentHash } from '../../shared/crypto/identity-hash.ts';
import { createVault } from '../../shared/crypto/secret-cache.ts';
import { composeTokenId, TOKEN_ID_RANDOM_BYTES } from '../../shared/crypto/token-id.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import { DEFAULT_INDEX_SHARDS } from '../../shared/data/table/schema.ts';
import { HOUR, SECOND } from '../../shared/domain/duration.ts';
import { quantile } from '../statistics.ts';
import { floorItem, floorPut, floorQuery, TEXT } from '../warm/floor.ts';
import { type RunningService, startService } from './service.ts';

const CONNECTIONS = 16;

export interface Throughput {
  readonly name: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the service's process; of this one for the floor. */
  readonly cpuMsPerRequest: number;
  readonly errors: number;
  /** Seconds after the load until the service rested: the reader of the stream was behind by then. */
  readonly settledSeconds: number;
}

const HEADERS = { 'content-type': 'application/json', origin: 'https://shop.example.com' };

const bootstrapRequest = ({ publishableKey: key }: RunningService): Request => ({
  method: 'POST',
  path: '/v1/sdk/bootstrap',
  headers: HEADERS,
  setupRequest: (request) => ({ ...request, body: JSON.stringify({ key, userId: `user-${randomUUID()}` }) }),
});

/** Tokens are sealed beforehand, under the instance's own key: the load is one submission a request. */
async function submitRequest(service: RunningService, count: number): Promise<Request> {
  const { projectId, publishableKey: key, surveys, secrets } = service;
  const vault = createVault(secrets, Date.now);
  const tokens = createShowTokens({ vault, stage: 'local', random: randomBytes });
  const surveyId = surveys[0]?.id ?? '';
  const users = Array.from({ length: count }, () => `user-${randomUUID()}`);
  const expiresAt = Date.now() + HOUR;
  const sealed = await tokens.issue(
    projectId,
    users.map((respondentId) => ({ surveyId, respondentId, expiresAt })),
    Date.now(),
  );
  let next = 0;
  return {
    method: 'POST',
    path: '/v1/sdk/responses',
    headers: HEADERS,
    setupRequest(request) {
      const index = next++;
      const body = { key, surveyId, userId: users[index], showToken: sealed[index], rating: 9, text: TEXT };
      return { ...request, body: JSON.stringify(body) };
    },
  };
}

async function load(
  service: RunningService,
  name: string,
  requests: readonly Request[],
  seconds: number,
): Promise<Throughput> {
  const before = service.cpuMs();
  const result = await autocannon({
    url: service.url,
    connections: CONNECTIONS,
    duration: seconds,
    requests,
  });
  const cpu = service.cpuMs() - before;
  const succeeded = result['2xx'];
  return {
    name,
    perSecond: succeeded / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMsPerRequest: cpu / succeeded,
    errors: result.errors + result.non2xx,
    settledSeconds: await service.settle(),
  };
}

/** The bare SDK against the service's own emulator, as many calls at once as there are connections. */
async function floor(name: string, call: () => Promise<unknown>, seconds: number): Promise<Throughput> {
  const times: number[] = [];
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const worker = async () => {
    while (performance.now() - startedAt < seconds * SECOND) {
      const sentAt = performance.now();
      await call();
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const { user, system } = process.cpuUsage(before);
  return {
    name,
    perSecond: (times.length / (performance.now() - startedAt)) * SECOND,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    cpuMsPerRequest: (user + system) / 1_000 / times.length,
    errors: 0,
    settledSeconds: 0,
  };
}

/** The loads, by the names that figures and goals know them by. */
export const LOADS = { bootstrap: 'bootstrap', submit: 'submit', mixed: 'mixed 50:1' } as const;

/** @param say is told what is measured next */
export async function measureThroughput(seconds: number, say: (what: string) => void): Promise<Throughput[]> {
  const service = await startService();
  try {
    const boot = bootstrapRequest(service);
    const mostSubmissions = 3_000 * seconds;
    const figures: Throughput[] = [];
    const measure = async (name: string, requests: readonly Request[]) => {
      say(`HTTP: ${name}`);
      figures.push(await load(service, name, requests, seconds));
    };
    await load(service, 'warm-up', [boot, await submitRequest(service, mostSubmissions)], 3);
    await measure(LOADS.bootstrap, [boot]);
    await measure(LOADS.submit, [await submitRequest(service, mostSubmissions)]);
    await measure(LOADS.mixed, [
      ...Array.from({ length: 50 }, () => boot),
      await submitRequest(service, mostSubmissions),
    ]);
    say('HTTP: floor');
    const { projectId, surveys } = service;
    const secret = await service.secrets.readHashSecret();
    const client = createDocumentClient({ endpoint: service.dynamodbEndpoint });
    const person = () => {
      const respondentId = `user-${randomUUID()}`;
      return { respondentId, hash: respondentHash(secret, projectId, respondentId) };
    };
    const query = () => floorQuery(client, LOCAL_TABLE_NAME, projectId, person().hash).bare();
    const put = () => {
      const now = Date.now();
      const { respondentId, hash } = person();
      const tokenId = composeTokenId(now, randomBytes(TOKEN_ID_RANDOM_BYTES));
      const claims = { tokenId, surveyId: surveys[0]?.id ?? '', respondentId, expiresAt: now + HOUR };
      const id = randomBytes(32).toString('base64url');
      const redemption = { id, projectId, claims, writeId: randomUUID(), now };
      const item = floorItem(redemption, 'response', hash, DEFAULT_INDEX_SHARDS);
      return floorPut(client, LOCAL_TABLE_NAME, item).bare();
    };
    figures.push(
      await floor('floor: Query', query, seconds / 2),
      await floor('floor: PutItem', put, seconds / 2),
    );
    client.destroy();
    return figures;
  } finally {
    await service.stop();
  }
}
