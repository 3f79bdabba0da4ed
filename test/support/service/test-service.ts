import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { compose, type Service } from '../../../functions/runtime/compose.ts';
import type { Endpoint } from '../../../functions/runtime/endpoint.ts';
import { createLogger, type Logger } from '../../../functions/runtime/logger.ts';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import type { ServiceConfig } from '../../../functions/runtime/service-config.ts';
import { pathFields, type Route } from '../../../shared/contract/route.ts';
import type { SecretSource } from '../../../shared/crypto/secret-cache.ts';
import type { PurgeStarter } from '../../../shared/data/aws/purge-starter.ts';
import type { EventOutlet } from '../../../shared/data/events/event-outlet.ts';
import type { ProjectStore } from '../../../shared/data/projects/project-store.ts';
import type { ReadIndex } from '../../../shared/data/table/index-reader.ts';
import type { CanvassEvent } from '../../../shared/domain/happening.ts';
import { KEY_SCOPES, type Project } from '../../../shared/domain/project.ts';
import { executionName } from '../../../shared/domain/purge.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { collectEvents } from '../events/collected-events.ts';
import { gatewayEvent } from '../events/lambda-events.ts';
import { aKey, aProject, aSurvey } from '../fixtures/builders.ts';
import { TEST_SHARDS } from '../fixtures/seed-answers.ts';
import { checkExchange } from '../openapi-check.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { createTestSecrets } from './test-secrets.ts';
import { createTestTable, NO_LIMIT, type TestTable } from './test-table.ts';

export interface Tenant {
  readonly project: Project;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly surveys: readonly Survey[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a reply of any route; tests read its fields.
  readonly body: any;
  readonly text: string;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly rawBody?: string | Buffer;
  readonly base64?: boolean;
  readonly query?: Readonly<Record<string, string>> | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly path?: string;
  readonly sourceIp?: string;
  /** Sent as `Authorization: Bearer`. */
  readonly secretKey?: string;
}

export interface TestService {
  readonly table: TestTable;
  readonly clock: TestClock;
  readonly service: Service;
  readonly logs: string[];
  /** Events that were sent. Each was checked against its schema. */
  readonly events: readonly CanvassEvent[];
  readonly tenant: (project?: Partial<Project>, surveys?: readonly Survey[]) => Promise<Tenant>;
  readonly projects: ProjectStore;
  /** Makes a key and stores it. */
  readonly addKey: (...terms: Parameters<typeof aKey>) => Promise<ReturnType<typeof aKey>>;
  readonly call: (endpoint: Endpoint, options?: CallOptions) => Promise<Reply>;
}

export interface ServiceOptions {
  readonly client?: DynamoDBClient;
  readonly secrets?: SecretSource;
  readonly log?: Logger;
  readonly config?: Partial<ServiceConfig>;
  readonly arrange?: (service: Service) => void;
  readonly clock?: TestClock;
  readonly table?: TestTable;
  readonly aroundIndex?: (read: ReadIndex) => ReadIndex;
  readonly stage?: string;
  /** Counts rate limits across instances, as deployed. In memory by default. */
  readonly sharedRateLimits?: boolean;
  readonly starter?: PurgeStarter;
  readonly eventOutlet?: EventOutlet;
}

function pathOf(route: Route, { body }: CallOptions): string {
  const fields = new Map<string, unknown>(Object.entries(body ?? {}));
  return pathFields(route).reduce(
    (path, name) => path.replace(`{${name}}`, encodeURIComponent(String(fields.get(name) ?? 'none'))),
    route.path,
  );
}

export function callEvent({ route }: Pick<Endpoint, 'route'>, options: CallOptions): APIGatewayProxyEventV2 {
  const { query = {}, headers = {}, secretKey, base64 = false, sourceIp } = options;
  const sent = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const bytes = sent === undefined ? undefined : Buffer.from(sent);
  return gatewayEvent({
    method: options.method ?? route.method,
    path: options.path ?? pathOf(route, options),
    query: typeof query === 'string' ? query : new URLSearchParams(query).toString(),
    headers: { ...(secretKey !== undefined && { authorization: `Bearer ${secretKey}` }), ...headers },
    body: bytes?.toString(base64 ? 'base64' : 'utf8'),
    isBase64Encoded: base64,
    ...(sourceIp !== undefined && { sourceIp }),
  });
}

export function testConfig(table: TestTable, more: Partial<ServiceConfig> = {}): ServiceConfig {
  return {
    tableName: table.tableName,
    erasureLogTableName: table.erasureLogTableName,
    stage: 'test',
    keyAbbreviation: 'svc',
    shards: TEST_SHARDS,
    defaultAddressRate: 0,
    settingsLifetimeMs: 30_000,
    requestDeadlineMs: NO_LIMIT,
    lookUpDeadlineMs: NO_LIMIT,
    leaseDeadlineMs: NO_LIMIT,
    keyUseDeadlineMs: NO_LIMIT,
    foldRequestDeadlineMs: NO_LIMIT,
    hashSecretId: 'hash-secret',
    tokenRingId: 'token-ring',
    dynamodbEndpoint: table.endpoint,
    ...more,
  };
}

export async function createTestService(options: ServiceOptions = {}): Promise<TestService> {
  const table = options.table ?? (await createTestTable());
  const clock = options.clock ?? createTestClock();
  const logs: string[] = [];
  const config = testConfig(table, {
    stage: options.stage ?? 'test',
    sharedRateLimits: options.sharedRateLimits ?? false,
    events: { includeText: false },
    ...options.config,
  });
  const { events, outlet } = collectEvents();
  const service = compose(config, {
    clock: clock.now,
    log: options.log ?? createLogger((line) => logs.push(line)),
    client: options.client ?? table.client,
    aroundIndex: options.aroundIndex,
    // Pauses do not wait.
    pause: async () => undefined,
    secrets: options.secrets ?? createTestSecrets(),
    eventOutlet: options.eventOutlet ?? outlet,
    purgeStarter: options.starter ?? {
      start: async (scope, attempt) => executionName(scope, attempt),
    },
  });
  options.arrange?.(service);
  const store = projects(compose(config, { client: table.client }));

  return {
    table,
    clock,
    service,
    logs,
    events,
    projects: store,
    async addKey(...terms) {
      const key = aKey(...terms);
      await store.addKey(terms[1], key.stored);
      return key;
    },
    async tenant(overrides = {}, surveys = [aSurvey()]) {
      const project = aProject(overrides);
      const publishable = aKey('publishable', project.id);
      const secret = aKey('secret', project.id, { scopes: KEY_SCOPES });
      await store.createProject(project, [publishable.stored, secret.stored]);
      for (const survey of surveys) await store.createSurvey(project.id, survey);
      return { project, publishableKey: publishable.text, secretKey: secret.text, surveys };
    },
    async call(endpoint, callOptions = {}) {
      const context = { awsRequestId: randomUUID(), functionName: endpoint.route.name } as Context;
      const event = callEvent(endpoint, callOptions);
      const { method, path } = event.requestContext.http;
      const requestBody = callOptions.rawBody?.toString() ?? JSON.stringify(callOptions.body);
      const result = await endpoint.create(service)(event, context);
      const headers = Object.fromEntries(
        Object.entries(result.headers ?? {}).map(([k, v]) => [k, String(v)]),
      );
      const bytes = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
      const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
      const isJson = headers['content-type']?.startsWith('application/json') ?? false;
      const status = result.statusCode ?? 200;
      checkExchange({ method, path, requestBody, status, headers, text });
      return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
    },
  };
}
