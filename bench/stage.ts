/** The service on an embedded DynamoDB, with projects to measure. */

import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { bootstrap } from '../functions/bootstrap.ts';
import { mintTokens } from '../functions/mint-tokens.ts';
import { compose, type Service, tokens } from '../functions/runtime/compose.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { createLogger, type Logger } from '../functions/runtime/logger.ts';
import { projects } from '../functions/runtime/parts/projects.ts';
import { submitDismissal } from '../functions/submit-dismissal.ts';
import { submitResponse } from '../functions/submit-response.ts';
import { createErasureLogTable, createTable } from '../local/create-table.ts';
import { DEMO_SURVEYS } from '../local/demo/demo-project.ts';
import { startEmbeddedDynamodb } from '../local/embedded-dynamodb.ts';
import { lambdaContext } from '../local/lambda-invocation.ts';
import { erasureLogOf, LOCAL_TABLE_NAME } from '../local/running-instance.ts';
import type { Route } from '../shared/contract/route.ts';
import { parseTokenRing } from '../shared/crypto/token-ring.ts';
import type { PurgeStarter } from '../shared/data/aws/purge-starter.ts';
import { createDynamodbClient } from '../shared/data/table/client.ts';
import { DEFAULT_INDEX_SHARDS } from '../shared/data/table/schema.ts';
import { DAY, HOUR } from '../shared/domain/duration.ts';
import { hasScale } from '../shared/domain/surveys/survey.ts';
import { gatewayEvent } from '../test/support/events/lambda-events.ts';
import { aKey, aProject, aSurvey } from '../test/support/fixtures/builders.ts';
import { TEST_HASH_SECRET } from '../test/support/service/test-secrets.ts';

/** Texts of both secrets. The ring has the format that CloudFormation generates. */
export const SECRETS = {
  hash: Buffer.from(TEST_HASH_SECRET).toString(),
  ring: JSON.stringify({ keys: [], initial: 'x9'.repeat(32) }),
};

/** Log lines include metrics, as in a deployment. */
export const createBenchLogger = (write: (line: string) => void = () => undefined): Logger =>
  createLogger(write, { metricsNamespace: 'Canvass/bench' });

const READS = new Set(['Query', 'GetItem', 'BatchGetItem']);

interface Consumed {
  readonly CapacityUnits?: number;
}

/**
 * Sums the calls of a client and the capacity units that DynamoDB reports.
 * @returns a function that takes the sums since the last call
 */
export function meter(client: DynamoDBClient) {
  let counts = new Map<string, number>();
  let [readUnits, writeUnits] = [0, 0];
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next({
        ...args,
        input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' as const },
      });
      const operation = String(context.commandName).replace(/Command$/, '');
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      const { output }: { output: object } = result;
      const consumed: readonly Consumed[] =
        'ConsumedCapacity' in output ? [output.ConsumedCapacity ?? []].flat() : [];
      const units = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      if (READS.has(operation)) readUnits += units;
      else writeUnits += units;
      return result;
    },
    { step: 'initialize', priority: 'high' },
  );
  return () => {
    const calls = [...counts].map(([operation, count]) => `${count} ${operation}`).join(', ') || 'none';
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const use = { readUnits, writeUnits, calls, total };
    counts = new Map();
    [readUnits, writeUnits] = [0, 0];
    return use;
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;
export type Tenant = Awaited<ReturnType<Stage['tenant']>>;

/** Keeps reads of settings from mixing with the captured calls of a floor. */
const SETTINGS_LIFETIME_MS = DAY;

export const SETTINGS = {
  tableName: LOCAL_TABLE_NAME,
  erasureLogTableName: erasureLogOf(LOCAL_TABLE_NAME),
  stage: 'local',
  keyAbbreviation: 'svc',
  shards: DEFAULT_INDEX_SHARDS,
  defaultAddressRate: 0,
  settingsLifetimeMs: SETTINGS_LIFETIME_MS,
  hashSecretId: 'hash',
  tokenRingId: 'ring',
};

export function composeOver(
  client: DynamoDBClient,
  log = createBenchLogger(),
  purgeStarter: PurgeStarter = { start: () => Promise.reject(new Error('The bench starts no purge.')) },
): Service {
  const secrets = {
    readHashSecret: async () => TEST_HASH_SECRET,
    readTokenRing: async () => parseTokenRing(SECRETS.ring),
  };
  return compose(SETTINGS, { client, log, secrets, purgeStarter });
}

/** The data is on a RAM disk if the machine has one, because writes to a disk would be measured too. */
async function startStage() {
  const { endpoint, stop } = await startEmbeddedDynamodb({});
  const clients: DynamoDBClient[] = [];
  function keep(client: DynamoDBClient): DynamoDBClient {
    clients.push(client);
    return client;
  }
  const createClient = () => keep(createDynamodbClient({ endpoint }));
  /** A client with the default settings of the SDK. */
  function createShippedClient(): DynamoDBClient {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    return keep(new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }));
  }
  const client = createClient();
  await createTable(client, SETTINGS.tableName);
  await createErasureLogTable(client, SETTINGS.erasureLogTableName);

  /** Creates a project without limits or rates, with the surveys of the demo. */
  async function tenant() {
    const store = projects(composeOver(client));
    const limits = { quietPeriodMs: 0, monthlyCap: 0 };
    const project = aProject({ limits, rates: { publishable: 0, secret: 0, address: 0 } });
    const [publishable, secret] = [aKey('publishable', project.id), aKey('secret', project.id)];
    await store.createProject(project, [publishable.stored, secret.stored]);
    const surveys = DEMO_SURVEYS.filter(({ type }) => hasScale(type)).map((content) => aSurvey({}, content));
    for (const survey of surveys) await store.createSurvey(project.id, survey);
    return { projectId: project.id, publishableKey: publishable.text, secretKey: secret.text, surveys };
  }

  return {
    endpoint,
    settings: SETTINGS,
    createClient,
    createShippedClient,
    compose: composeOver,
    tenant,
    async stop(): Promise<void> {
      for (const client of clients) client.destroy();
      await stop();
    },
  };
}

/** Runs the work on a stage of its own and stops the stage. */
export async function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await startStage();
  try {
    return await work(stage);
  } finally {
    await stage.stop();
  }
}

/** The endpoints that carry nearly all of a product's load. */
export const HOT_ENDPOINTS = [bootstrap, submitResponse, submitDismissal, mintTokens] as const;

/** A comment of typical length. */
export const TEXT = 'The checkout kept forgetting my address, but support sorted it out within the hour.';

/** Bodies of requests to a hot route, each from a different respondent. */
async function hotBodies(
  route: string,
  count: number,
  { projectId, publishableKey: key, surveys }: Tenant,
  service: Service,
): Promise<object[]> {
  const people = Array.from({ length: count }, () => `user-${randomUUID()}`);
  if (route === bootstrap.route.name)
    return people.map((userId) => ({ key, userId, traits: { plan: 'pro' } }));
  if (route === mintTokens.route.name) {
    return people.map((respondentId) => ({ respondentId, sessionId: randomUUID() }));
  }
  const surveyId = surveys[0]?.id ?? '';
  const now = Date.now();
  const grants = people.map((respondentId) => ({ surveyId, respondentId, expiresAt: now + HOUR }));
  const sealed = await tokens(service).issue(projectId, grants, now);
  const said = route === submitResponse.route.name ? { rating: 9, text: TEXT } : {};
  return sealed.map((showToken, index) => ({ key, userId: people[index], surveyId, showToken, ...said }));
}

/** The event of a request from a browser. */
export function browserEvent(
  route: Route,
  body: object,
  { secretKey }: Pick<Tenant, 'secretKey'>,
  query = '',
): APIGatewayProxyEventV2 {
  return gatewayEvent({
    method: route.method,
    path: route.path,
    query,
    headers: {
      ...(route.key === 'secret' && { authorization: `Bearer ${secretKey}` }),
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'content-type': 'application/json',
      host: 'api.example.com',
      origin: 'https://shop.example.com',
      referer: 'https://shop.example.com/',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0',
      'x-amzn-trace-id': 'Root=1-691ef0c0-5f84a7b13c2d9e0a4b6c8d1f',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
    },
    body: JSON.stringify(body),
    sourceIp: '203.0.113.7',
  });
}

/** Events of requests to a hot route. */
export async function hotEvents(route: Route, count: number, tenant: Tenant, service: Service) {
  const bodies = await hotBodies(route.name, count, tenant, service);
  return bodies.map((body) => browserEvent(route, body, tenant));
}

/** Creates an instance of an endpoint's function. @throws Error for a reply other than success */
export function serve(endpoint: Endpoint, service: Service) {
  const { route } = endpoint;
  const handler = endpoint.create(service);
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const reply = await handler(event, lambdaContext(route.name, 30_000));
    if (reply.statusCode === route.success.status) return reply;
    throw new Error(`${route.name}: ${reply.statusCode} ${reply.body}`);
  };
}
