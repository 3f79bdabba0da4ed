/**
 * What every script measures against: an embedded DynamoDB with the service's table, and projects in it. The one file
 * of the bench that puts the service together.
 */

import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { compose, projects, type Service } from '../functions/runtime/compose.ts';
import { createLogger, type Logger } from '../functions/runtime/logger.ts';
import type { ServiceConfig } from '../functions/runtime/service-config.ts';
import { createErasureLogTable, createTable } from '../local/create-table.ts';
import { DEMO_SURVEYS } from '../local/demo/demo-surveys.ts';
import { startEmbeddedDynamodb } from '../local/embedded-dynamodb.ts';
import { erasureLogOf, LOCAL_TABLE_NAME } from '../local/running-instance.ts';
import { DEFAULT_KEY_ABBREVIATION, issueAccessKey, KEY_RANDOM_BYTES } from '../shared/crypto/access-key.ts';
import { parseTokenRing } from '../shared/crypto/token-ring.ts';
import { createDynamodbClient } from '../shared/data/table/client.ts';
import type { Pause } from '../shared/data/table/retry.ts';
import { DEFAULT_INDEX_SHARDS } from '../shared/data/table/schema.ts';
import { DAY } from '../shared/domain/duration.ts';
import {
  composeProjectId,
  composeSurveyId,
  PROJECT_ID_RANDOM_BYTES,
  SURVEY_ID_RANDOM_BYTES,
} from '../shared/domain/ids.ts';
import { DEFAULT_TOKEN_LIFETIME_MS, type KeyKind, type ProjectRates } from '../shared/domain/project.ts';
import type { Survey, SurveyContent } from '../shared/domain/surveys/survey.ts';
import { seedAnswers } from '../test/support/fixtures/seed-answers.ts';

/** Both secrets as CloudFormation generates them. */
const GENERATED = 'x9'.repeat(32);
export const SECRETS = { hash: GENERATED, ring: JSON.stringify({ keys: [], initial: GENERATED }) };

export const newSurveyId = (): string => composeSurveyId(randomBytes(SURVEY_ID_RANDOM_BYTES));

/** Log lines are made as a deployment makes them, metrics included. */
export const createBenchLogger = (write: (line: string) => void = () => undefined): Logger =>
  createLogger(write, { metricsNamespace: 'Canvass/bench' });

const READS = new Set(['Query', 'GetItem', 'BatchGetItem']);

interface Consumed {
  readonly CapacityUnits?: number;
}

/**
 * Adds up the calls of a client and what DynamoDB says they consumed.
 * @returns takes what was used since the last look
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
    const use = { 'read units': readUnits, 'write units': writeUnits, calls };
    counts = new Map();
    [readUnits, writeUnits] = [0, 0];
    return use;
  };
}

export interface Tenant {
  readonly projectId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly surveys: readonly Survey[];
}

type SeedPlan = Omit<Parameters<typeof seedAnswers>[1], 'shards' | 'hashSecret'>;
export type Stage = Awaited<ReturnType<typeof startStage>>;

/** @param dataFolder without it the data lies on a RAM disk where there is one, and is gone at the end */
export async function startStage(dataFolder?: string) {
  const dynamodb = await startEmbeddedDynamodb({ dataFolder });
  const { endpoint } = dynamodb;
  const clients: DynamoDBClient[] = [];
  function keep(client: DynamoDBClient): DynamoDBClient {
    clients.push(client);
    return client;
  }
  const createClient = () => keep(createDynamodbClient({ endpoint }));
  /** A client as the SDK ships it: no settings but where the table is. */
  function createShippedClient(): DynamoDBClient {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    return keep(new DynamoDBClient({ endpoint, region: 'us-east-1', credentials }));
  }
  const client = createClient();
  const settings: ServiceConfig = {
    tableName: LOCAL_TABLE_NAME,
    erasureLogTableName: erasureLogOf(LOCAL_TABLE_NAME),
    stage: 'local',
    keyAbbreviation: DEFAULT_KEY_ABBREVIATION,
    shards: DEFAULT_INDEX_SHARDS,
    defaultAddressRate: 0,
    // No read of settings between the captured calls of a floor, however slow the machine is.
    settingsLifetimeMs: DAY,
    hashSecretId: 'hash',
    tokenRingId: 'ring',
  };
  const { tableName } = settings;
  await createTable(client, tableName);
  await createErasureLogTable(client, erasureLogOf(LOCAL_TABLE_NAME));
  const hashSecret = Buffer.from(SECRETS.hash);

  /** The service over this client. */
  function composeOver(client: DynamoDBClient, log = createBenchLogger(), pause?: Pause): Service {
    const secrets = {
      readHashSecret: async () => hashSecret,
      readTokenRing: async () => parseTokenRing(SECRETS.ring),
    };
    const purgeStarter = { start: () => Promise.reject(new Error('the bench starts no purge')) };
    return compose(settings, { client, log, secrets, purgeStarter, pause });
  }

  /** A new project without limits, and without rates unless they are given, with these surveys or the demo's. */
  async function tenant(
    contents: readonly SurveyContent[] = DEMO_SURVEYS,
    rates: ProjectRates = { publishable: 0, secret: 0, address: 0 },
  ): Promise<Tenant> {
    const store = projects(composeOver(client));
    const projectId = composeProjectId(randomBytes(PROJECT_ID_RANDOM_BYTES));
    const createdAt = new Date().toISOString();
    const issueKey = (kind: KeyKind) => {
      const random = randomBytes(KEY_RANDOM_BYTES);
      return issueAccessKey(hashSecret, {
        abbreviation: settings.keyAbbreviation,
        kind,
        projectId,
        random,
        createdAt,
      });
    };
    const [publishable, secret] = [issueKey('publishable'), issueKey('secret')];
    const project = {
      id: projectId,
      name: 'Bench',
      status: 'active' as const,
      allowedOrigins: [],
      limits: { quietPeriodMs: 0, monthlyCap: 0 },
      rates,
      tokenLifetimeMs: DEFAULT_TOKEN_LIFETIME_MS,
      createdAt,
    };
    await store.createProject(project, [publishable.stored, secret.stored]);
    const surveys: Survey[] = contents.map((content) => ({
      id: newSurveyId(),
      status: 'active',
      limits: {},
      content,
    }));
    for (const survey of surveys) await store.createSurvey(projectId, survey);
    return { projectId, publishableKey: publishable.text, secretKey: secret.text, surveys };
  }

  return {
    endpoint,
    settings,
    createClient,
    createShippedClient,
    compose: composeOver,
    tenant,
    seed: (plan: SeedPlan) =>
      seedAnswers({ endpoint, tableName }, { ...plan, shards: settings.shards, hashSecret }),
    async stop(): Promise<void> {
      for (const client of clients) client.destroy();
      await dynamodb.stop();
    },
  };
}

/** Work on a stage of its own, which is gone afterwards. */
export async function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = await startStage();
  try {
    return await work(stage);
  } finally {
    await stage.stop();
  }
}
