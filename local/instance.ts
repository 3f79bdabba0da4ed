/** A local instance: embedded DynamoDB, the real handlers behind HTTP, the stream's handler, the demo project. */

import { join, resolve } from 'node:path';
import { createFolding, createTotals } from '../functions/runtime/dependencies.ts';
import { createErasureDependencies } from '../functions/runtime/erasure-dependencies.ts';
import { createExportDependencies } from '../functions/runtime/export-dependencies.ts';
import { createLogger } from '../functions/runtime/logger.ts';
import { createPurgeDependencies } from '../functions/runtime/purge-step.ts';
import type { RuntimeSettings } from '../functions/runtime/runtime-settings.ts';
import { createBatchCounter } from '../functions/stream/count-batch.ts';
import { createBatchFolder } from '../functions/stream/fold-batch.ts';
import { unknownPath } from '../functions/unknown-path.ts';
import { CORS } from '../shared/contract/http.ts';
import { pathsOf } from '../shared/contract/route.ts';
import { DEFAULT_KEY_ABBREVIATION } from '../shared/crypto/access-key.ts';
import { createProjectStore } from '../shared/data/projects/project-store.ts';
import { createSettingsLoader } from '../shared/data/projects/settings-loader.ts';
import { createDocumentClient } from '../shared/data/table/client.ts';
import { DEFAULT_INDEX_SHARDS } from '../shared/data/table/schema.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { createErasureLogTable, createTable } from './create-table.ts';
import { demoRoutes } from './demo/demo-routes.ts';
import { type DemoProject, openDemoProject } from './demo-project.ts';
import { startEmbeddedDynamodb } from './embedded-dynamodb.ts';
import { type AllDependencies, ENDPOINTS } from './endpoints.ts';
import { type Gateway, startGateway } from './gateway.ts';
import type { LocalError } from './local-error.ts';
import { createFolderSecrets, createMemorySecrets } from './local-secrets.ts';
import { erasureLogOf, LOCAL_TABLE_NAME, noteRunningInstance } from './running-instance.ts';
import { checkPushFile, startScorePush } from './score-push.ts';
import { createLocalStateMachine } from './state-machine.ts';
import { fileCheckpoint } from './stream-checkpoint.ts';
import { startStreamTail } from './stream-tail.ts';

export interface InstanceOptions {
  /** 0 takes any free one. */
  readonly port: number;
  readonly dataFolder: string;
  /** Keeps nothing; the folder then holds the instance's address alone. */
  readonly inMemory: boolean;
  /** A DynamoDB to use instead of starting one. */
  readonly dynamodbEndpoint?: string | undefined;
  readonly keyAbbreviation?: string | undefined;
  /** The score adapter's configuration, when it is to run. */
  readonly pushScoresFile?: string | undefined;
  readonly log: (line: string) => void;
}

export interface Instance {
  readonly url: string;
  readonly demo: DemoProject;
  /** Which DynamoDB serves it, for the person at the terminal. */
  readonly database: string;
  /** Settles when the instance cannot go on. */
  readonly died: Promise<LocalError>;
  /** Ends everything it started, the newest first. */
  stop(): Promise<void>;
}

/** So short that what the operator changes shows at once, so long that a burst of requests reads settings once. */
const LOCAL_SETTINGS_LIFETIME_MS = SECOND / 4;

/** Caches as short as above, requests of moments, indexes that do not lag. */
const LOCAL_PURGE_WAITS_MS = { WaitForCaches: 3 * SECOND, WaitForIndexes: 0 };

/**
 * Starts everything; when a part cannot start, those before it are stopped again.
 * @throws {LocalError}
 */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    return await start(options, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: InstanceOptions,
  stops: (() => Promise<void> | void)[],
  stop: () => Promise<void>,
): Promise<Instance> {
  const { pushScoresFile } = options;
  if (pushScoresFile !== undefined) await checkPushFile(pushScoresFile);
  const folder = resolve(options.dataFolder);
  const kept = options.inMemory ? undefined : folder;
  const dynamodb = await startEmbeddedDynamodb({ dataFolder: kept, endpoint: options.dynamodbEndpoint });
  stops.push(dynamodb.stop);

  const environment: RuntimeSettings = {
    tableName: LOCAL_TABLE_NAME,
    stage: 'local',
    keyAbbreviation: options.keyAbbreviation ?? DEFAULT_KEY_ABBREVIATION,
    shards: DEFAULT_INDEX_SHARDS,
    defaultAddressRate: 0,
    settingsLifetimeMs: LOCAL_SETTINGS_LIFETIME_MS,
    hashSecretId: 'local',
    tokenRingId: 'local',
    dynamodbEndpoint: dynamodb.endpoint,
  };
  const client = createDocumentClient({ endpoint: dynamodb.endpoint });
  await createTable(client, environment.tableName);
  const erasureLogTableName = erasureLogOf(environment.tableName);
  await createErasureLogTable(client, erasureLogTableName);
  const demo = await openDemoProject({
    store: createProjectStore(client, environment.tableName),
    loadSettings: createSettingsLoader(client, environment),
    keyAbbreviation: environment.keyAbbreviation,
    folder: kept,
  });

  const log = createLogger(options.log);
  const count = createBatchCounter(createTotals(environment, { client }));
  const fold = createBatchFolder(createFolding(environment, { client, log }));
  const tail = startStreamTail({
    endpoint: dynamodb.endpoint,
    tableName: environment.tableName,
    functionName: 'count-answers',
    async handler(batch) {
      await count(batch);
      await fold(batch);
    },
    ...(kept !== undefined && { checkpoint: fileCheckpoint(join(kept, 'stream.json')) }),
    onFailure: (error) => log.error({ message: 'the stream waits', error }),
  });
  stops.push(tail.stop);

  const secrets = kept === undefined ? createMemorySecrets() : createFolderSecrets(kept);
  const starter = createLocalStateMachine({
    deps: createPurgeDependencies({ ...environment, erasureLogTableName }, { client, log }),
    waits: LOCAL_PURGE_WAITS_MS,
    onFailure: (execution, error) => log.error({ message: 'a purge failed', execution, error }),
  });
  stops.push(starter.stop);
  const seams = { client, log, starter };
  const deps = {
    ...createExportDependencies(environment, secrets, seams),
    ...createErasureDependencies({ ...environment, erasureLogTableName }, secrets, seams),
  };
  const gateway = await serve(deps, demo, options.port);
  stops.push(() => gateway.stop());

  const { url } = gateway;
  const { endpoint } = dynamodb;
  const { tableName, keyAbbreviation } = environment;
  if (pushScoresFile !== undefined) {
    const push = startScorePush({ file: pushScoresFile, url, client, tableName, log });
    stops.push(push.stop);
  }
  const { pid } = process;
  stops.push(
    noteRunningInstance(folder, { pid, url, dynamodbEndpoint: endpoint, tableName, keyAbbreviation }),
  );
  return { url, demo, database: dynamodb.description, died: dynamodb.died, stop };
}

async function serve(deps: AllDependencies, demo: DemoProject, port: number): Promise<Gateway> {
  const routes = ENDPOINTS.flatMap((endpoint) => {
    const handler = endpoint.create(deps);
    const timeoutMs = endpoint.route.timeoutSeconds * SECOND;
    return pathsOf(endpoint.route).map((at) => ({
      ...at,
      handler,
      functionName: endpoint.route.name,
      timeoutMs,
    }));
  });
  const gateway = await startGateway({
    routes: [...routes, ...demoRoutes(demo, () => gateway.url)],
    fallback: { handler: unknownPath.create(deps), functionName: unknownPath.route.name },
    cors: { ...CORS, maxAge: CORS.maxAgeSeconds },
    port,
    onFailure: (routeKey, error) => deps.log.error({ message: 'a function failed', route: routeKey, error }),
  });
  return gateway;
}
