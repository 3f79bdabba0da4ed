/** Runs DynamoDB, the handlers behind HTTP, the stream's handler, and the demo. */

import { join, resolve } from 'node:path';
import { onChange } from '../functions/on-change.ts';
import { clock, compose, log, type Service, table } from '../functions/runtime/compose.ts';
import { createLogger, type Logger } from '../functions/runtime/logger.ts';
import { answers, shows } from '../functions/runtime/parts/answers.ts';
import { purgeRecords } from '../functions/runtime/parts/privacy.ts';
import { projects, surveys } from '../functions/runtime/parts/projects.ts';
import type { ServiceConfig } from '../functions/runtime/service-config.ts';
import { unknownPath } from '../functions/unknown-path.ts';
import { CORS, pathsOf } from '../shared/contract/route.ts';
import { DEFAULT_KEY_ABBREVIATION } from '../shared/crypto/access-key.ts';
import type { SecretSource } from '../shared/crypto/secret-cache.ts';
import type { PurgeStarter } from '../shared/data/aws/purge-starter.ts';
import type { ScoreWaker } from '../shared/data/aws/score-waker.ts';
import { createDynamodbClient } from '../shared/data/table/client.ts';
import { DEFAULT_INDEX_SHARDS } from '../shared/data/table/schema.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { purgeScopeOf } from '../shared/domain/purge.ts';
import { claimTable, createErasureLogTable, createTable } from './create-table.ts';
import { storeDemoAnswers } from './demo/demo-answers.ts';
import { type DemoProject, type OpenedDemo, openDemoProject } from './demo/demo-project.ts';
import { demoRoutes } from './demo/demo-routes.ts';
import { startEmbeddedDynamodb } from './embedded-dynamodb.ts';
import { loadEndpoints } from './endpoints.ts';
import { type Gateway, startGateway } from './gateway.ts';
import type { LocalError } from './local-error.ts';
import { type EventTarget, type LocalEvents, openLocalEvents } from './local-events.ts';
import { createFolderSecrets, createMemorySecrets } from './local-secrets.ts';
import { erasureLogOf, LOCAL_TABLE_NAME, noteRunningInstance } from './running-instance.ts';
import { checkConfiguration, type LocalScoreAdapter, startScoreAdapter } from './score-adapter.ts';
import { createLocalStateMachine, startDailySweep } from './state-machine.ts';
import { fileCheckpoint, startStreamTail } from './stream/tail.ts';

export interface InstanceOptions {
  /** Port 0 selects a free one. */
  readonly port: number;
  readonly dataFolder: string;
  /** Stores only the instance's address on disk. */
  readonly inMemory: boolean;
  readonly dynamodbEndpoint?: string | undefined;
  readonly keyAbbreviation?: string | undefined;
  readonly pushScoresFile?: string | undefined;
  readonly events?: EventTarget | undefined;
  readonly eventText?: boolean | undefined;
  /** Adds half a year of answers to a new demo. */
  readonly demoAnswers?: boolean | undefined;
  readonly log: (line: string) => void;
  /** Defaults to three seconds. */
  readonly purgeWaitMs?: number;
}

export interface Instance {
  readonly url: string;
  readonly demo: DemoProject;
  readonly database: string;
  readonly died: Promise<LocalError>;
  stop(): Promise<void>;
}

/** Short enough that changes show immediately, yet a burst of requests shares settings. */
const LOCAL_SETTINGS_LIFETIME_MS = SECOND / 4;

/** Long enough for these caches and for running requests. Local indexes do not lag. */
const PURGE_WAIT_MS = 3 * SECOND;

interface Backends {
  readonly dynamodbEndpoint: string;
  readonly secrets: SecretSource;
  readonly log: Logger;
  readonly events: LocalEvents;
  readonly scoreWaker: ScoreWaker;
}

function composeLocally(
  options: InstanceOptions,
  { dynamodbEndpoint, secrets, log, events, scoreWaker }: Backends,
) {
  const { keyAbbreviation = DEFAULT_KEY_ABBREVIATION, purgeWaitMs = PURGE_WAIT_MS } = options;
  const config: ServiceConfig = {
    tableName: LOCAL_TABLE_NAME,
    erasureLogTableName: erasureLogOf(LOCAL_TABLE_NAME),
    stage: 'local',
    keyAbbreviation,
    shards: DEFAULT_INDEX_SHARDS,
    defaultAddressRate: 0,
    settingsLifetimeMs: LOCAL_SETTINGS_LIFETIME_MS,
    hashSecretId: 'local',
    tokenRingId: 'local',
    dynamodbEndpoint,
    events: { includeText: options.eventText === true },
  };
  // One emulator serves everything, and a second attempt would only delay the others. Deadlines still apply.
  const client = createDynamodbClient({
    endpoint: dynamodbEndpoint,
    requestTimeoutMs: Number.POSITIVE_INFINITY,
  });
  const machine = createLocalStateMachine({
    service: compose(config, { client, log, eventOutlet: events.outlet }),
    waits: { WaitForCaches: purgeWaitMs, WaitForIndexes: 0 },
    onFailure: (execution, error) => log.error({ message: 'a purge or a sweep failed', execution, error }),
  });
  const service = compose(config, {
    client,
    log,
    secrets,
    purgeStarter: machine,
    eventOutlet: events.outlet,
    scoreWaker,
  });
  return { client, machine, service };
}

/** @throws {LocalError} after everything was stopped */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    return { ...(await start(options, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: InstanceOptions,
  stops: (() => Promise<void> | void)[],
): Promise<Omit<Instance, 'stop'>> {
  const { pushScoresFile } = options;
  if (pushScoresFile !== undefined) await checkConfiguration(pushScoresFile);
  const folder = resolve(options.dataFolder);
  const kept = options.inMemory ? undefined : folder;
  const dynamodb = await startEmbeddedDynamodb({ dataFolder: kept, endpoint: options.dynamodbEndpoint });
  stops.push(dynamodb.stop);

  const secrets = kept === undefined ? createMemorySecrets() : createFolderSecrets(kept);
  let scoreAdapter: LocalScoreAdapter | undefined;
  const scoreWaker: ScoreWaker = { wake: async (wake) => scoreAdapter?.wake(wake) };
  const log = createLogger(options.log);
  const events = openLocalEvents({
    target: options.events,
    folder: kept,
    since: Date.now(),
    onFailure: (error) => log.error({ message: 'events not delivered', error }),
  });
  stops.push(events.stop);
  const backends = { dynamodbEndpoint: dynamodb.endpoint, secrets, log, events, scoreWaker };
  const { client, machine, service } = composeLocally(options, backends);
  const { tableName, keyAbbreviation } = service.config;
  await createTable(client, tableName);
  await createErasureLogTable(client, erasureLogOf(tableName));
  await claimTable(table(service), secrets, { isOwn: !options.dynamodbEndpoint });
  const opened = await openDemoProject({
    store: projects(service),
    surveyStore: surveys(service),
    keyAbbreviation,
    hashSecret: await secrets.readHashSecret(),
    folder: kept,
    withAnswers: options.demoAnswers === true,
  });
  const { demo } = opened;

  const tail = startStreamTail({
    endpoint: dynamodb.endpoint,
    tableName,
    functionName: 'on-change',
    handler: onChange(service),
    ...(kept !== undefined && { checkpoint: fileCheckpoint(join(kept, 'stream.json')) }),
    onFailure: (error) => log.error({ message: 'the stream waits', error }),
    onHandled: (sequenceNumber, isResting) => dynamodb.forget(tableName, sequenceNumber, isResting),
  });
  stops.push(tail.stop, machine.stop);
  await resumePurges(service, machine);
  stops.push(
    startDailySweep({
      machine,
      clock: clock(service),
      onFailure: (error) => log.error({ message: 'expired answers were not swept', error }),
    }),
  );
  const gateway = await serve(service, { demo, events }, options.port);
  stops.push(() => gateway.stop());

  const { url } = gateway;
  if (pushScoresFile !== undefined) {
    scoreAdapter = startScoreAdapter({ file: pushScoresFile, service });
    stops.push(scoreAdapter.stop);
  }
  stops.push(
    noteRunningInstance(folder, {
      pid: process.pid,
      url,
      dynamodbEndpoint: dynamodb.endpoint,
      tableName,
      keyAbbreviation,
      ...(kept === undefined && { hashSecret: Buffer.from(await secrets.readHashSecret()).toString() }),
    }),
  );
  stops.push(fillDemo(service, opened));
  return { url, demo, database: dynamodb.description, died: dynamodb.died };
}

/** Stores answers in the background. Returns a function that stops it; the next instance continues. */
function fillDemo(service: Service, { record, noteStored }: OpenedDemo): () => Promise<void> {
  if (record === undefined) return async () => undefined;
  const end = new AbortController();
  const stores = { answers: answers(service), shows: shows(service) };
  const filling = storeDemoAnswers(record, stores, end.signal).then(
    (isDone) => isDone && noteStored(),
    (error) => log(service).error({ message: 'the answers of the demo were not stored', error }),
  );
  return async () => {
    end.abort();
    await filling;
  };
}

/** Operators retry failed purges themselves. */
async function resumePurges(service: Service, machine: PurgeStarter): Promise<void> {
  const records = purgeRecords(service);
  for (const record of await records.unfinished()) {
    const scope = purgeScopeOf(record);
    const attempt = record.state === 'failed' ? undefined : await records.retry(scope, clock(service)());
    if (attempt === undefined) continue;
    const execution = await machine.start(scope, attempt);
    log(service).info({ message: 'a purge goes on', execution });
  }
}

interface Shown {
  readonly demo: DemoProject;
  readonly events: LocalEvents;
}

async function serve(service: Service, { demo, events }: Shown, port: number): Promise<Gateway> {
  const endpoints = await loadEndpoints();
  const routes = endpoints.flatMap((endpoint) => {
    const target = {
      handler: endpoint.create(service),
      functionName: endpoint.route.name,
      timeoutMs: endpoint.route.timeoutSeconds * SECOND,
    };
    return pathsOf(endpoint.route).map((at) => ({ ...at, ...target }));
  });
  const gateway = await startGateway({
    routes: [...routes, ...demoRoutes(demo, () => gateway.url, events.last)],
    fallback: { handler: unknownPath.create(service), functionName: unknownPath.route.name },
    cors: { ...CORS, maxAge: CORS.maxAgeSeconds },
    port,
    onFailure: (routeKey, error) =>
      log(service).error({ message: 'a function failed', route: routeKey, error }),
  });
  return gateway;
}
