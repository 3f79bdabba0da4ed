/**
 * What every script measures against: an embedded DynamoDB with the service's table, and projects in it. The one file
 * of the bench that puts the service together.
 */

import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { compose, folds, projects, purgeSweep, type Service } from '../functions/runtime/compose.ts';
import { createLogger, type Logger } from '../functions/runtime/logger.ts';
import type { ServiceConfig } from '../functions/runtime/service-config.ts';
import { createErasureLogTable, createTable } from '../local/create-table.ts';
import { DEMO_SURVEYS } from '../local/demo/demo-surveys.ts';
import { startEmbeddedDynamodb } from '../local/embedded-dynamodb.ts';
import { erasureLogOf, LOCAL_TABLE_NAME } from '../local/running-instance.ts';
import { DEFAULT_KEY_ABBREVIATION, issueAccessKey, KEY_RANDOM_BYTES } from '../shared/crypto/access-key.ts';
import { respondentHash } from '../shared/crypto/identity-hash.ts';
import { parseTokenRing } from '../shared/crypto/token-ring-json.ts';
import { createDynamodbClient } from '../shared/data/table/client.ts';
import { DEFAULT_INDEX_SHARDS } from '../shared/data/table/schema.ts';
import { DAY } from '../shared/domain/duration.ts';
import {
  composeProjectId,
  composeSurveyId,
  PROJECT_ID_RANDOM_BYTES,
  SURVEY_ID_RANDOM_BYTES,
} from '../shared/domain/ids.ts';
import { DEFAULT_TOKEN_LIFETIME_MS, type KeyKind } from '../shared/domain/project.ts';
import type { Survey, SurveyContent } from '../shared/domain/surveys/survey.ts';
import { seedAnswers } from '../test/support/fixtures/seed-answers.ts';
import { removeScratchFolder, scratchFolder } from './scratch.ts';

/** Both secrets as CloudFormation generates them. */
const GENERATED = 'x9'.repeat(32);
export const SECRETS = { hash: GENERATED, ring: JSON.stringify({ keys: [], initial: GENERATED }) };

export const newSurveyId = (): string => composeSurveyId(randomBytes(SURVEY_ID_RANDOM_BYTES));

/** Log lines are made as a deployment makes them, metrics included. */
export const createBenchLogger = (write: (line: string) => void = () => undefined): Logger =>
  createLogger(write, { metricsNamespace: 'Canvass/bench' });

export interface Tenant {
  readonly projectId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly surveys: readonly Survey[];
}

type SeedPlan = Omit<Parameters<typeof seedAnswers>[1], 'shards' | 'hashSecret'>;
export type Stage = Awaited<ReturnType<typeof startStage>>;

export const foldHistory = (service: Service, projectId: string, userId: string): Promise<void> =>
  folds(service).fold(
    { projectId, respondentHash: respondentHash(Buffer.from(SECRETS.hash), projectId, userId) },
    Date.now(),
  );

/** Deletes every answer of a project, as the steps of an account purge do. */
export async function purgeAnswers(service: Service, projectId: string): Promise<void> {
  const sweep = purgeSweep(service);
  for (let shard = 0; shard < sweep.shards; shard += 1) {
    await sweep.sweepShard({ projectId }, shard, () => false);
  }
  if (await sweep.isAnythingIndexed({ projectId })) throw new Error('the purge left something');
}

export async function startStage() {
  const dataFolder = scratchFolder();
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
  function composeOver(client: DynamoDBClient, log = createBenchLogger()): Service {
    const secrets = {
      readHashSecret: async () => hashSecret,
      readTokenRing: async () => parseTokenRing(SECRETS.ring),
    };
    const purgeStarter = { start: () => Promise.reject(new Error('the bench starts no purge')) };
    return compose(settings, { client, log, secrets, purgeStarter });
  }

  /** A new project without limits and rates, with these surveys or the demo's. */
  async function tenant(contents: readonly SurveyContent[] = DEMO_SURVEYS): Promise<Tenant> {
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
      rates: { publishable: 0, secret: 0, address: 0 },
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
      removeScratchFolder(dataFolder);
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
