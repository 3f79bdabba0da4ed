/**
 * What every script measures against: an embedded DynamoDB with the service's table, and projects in it. The one file
 * of the bench that puts the service together.
 */

import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createFolding } from '../functions/runtime/dependencies.ts';
import { createErasureDependencies } from '../functions/runtime/erasure-dependencies.ts';
import { createExportDependencies } from '../functions/runtime/export-dependencies.ts';
import { createLogger, type Logger } from '../functions/runtime/logger.ts';
import type { RuntimeSettings } from '../functions/runtime/runtime-settings.ts';
import { createErasureLogTable, createTable } from '../local/create-table.ts';
import { DEMO_SURVEYS } from '../local/demo-surveys.ts';
import { startEmbeddedDynamodb } from '../local/embedded-dynamodb.ts';
import { erasureLogOf, LOCAL_TABLE_NAME } from '../local/running-instance.ts';
import { DEFAULT_KEY_ABBREVIATION, issueAccessKey, KEY_RANDOM_BYTES } from '../shared/crypto/access-key.ts';
import { respondentHash } from '../shared/crypto/identity-hash.ts';
import { parseTokenRing } from '../shared/crypto/token-ring-json.ts';
import { createPurgeSweep } from '../shared/data/privacy/purge-sweep.ts';
import { createProjectStore } from '../shared/data/projects/project-store.ts';
import { createDocumentClient } from '../shared/data/table/client.ts';
import { createIndexReader } from '../shared/data/table/index-reader.ts';
import { DEFAULT_INDEX_SHARDS } from '../shared/data/table/schema.ts';
import {
  composeProjectId,
  composeSurveyId,
  PROJECT_ID_RANDOM_BYTES,
  SURVEY_ID_RANDOM_BYTES,
} from '../shared/domain/ids.ts';
import { DEFAULT_TOKEN_LIFETIME_MS, type KeyKind } from '../shared/domain/project.ts';
import type { Survey, SurveyContent } from '../shared/domain/survey.ts';
import { seedAnswers } from '../test/support/seed-answers.ts';
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
export type Dependencies = ReturnType<Stage['compose']>;

export async function startStage() {
  const dataFolder = scratchFolder();
  const dynamodb = await startEmbeddedDynamodb({ dataFolder });
  const { endpoint } = dynamodb;
  const clients: DynamoDBDocumentClient[] = [];
  function createClient(): DynamoDBDocumentClient {
    const client = createDocumentClient({ endpoint });
    clients.push(client);
    return client;
  }
  const client = createClient();
  const environment: RuntimeSettings & { readonly erasureLogTableName: string } = {
    tableName: LOCAL_TABLE_NAME,
    erasureLogTableName: erasureLogOf(LOCAL_TABLE_NAME),
    stage: 'local',
    keyAbbreviation: DEFAULT_KEY_ABBREVIATION,
    shards: DEFAULT_INDEX_SHARDS,
    defaultAddressRate: 0,
    settingsLifetimeMs: 30_000,
    hashSecretId: 'hash',
    tokenRingId: 'ring',
  };
  const { tableName } = environment;
  await createTable(client, tableName);
  await createErasureLogTable(client, environment.erasureLogTableName);
  const hashSecret = Buffer.from(SECRETS.hash);

  /** What any handler is given, over this client. */
  function compose(client: DynamoDBDocumentClient, log = createBenchLogger()) {
    const source = {
      readHashSecret: async () => hashSecret,
      readTokenRing: async () => parseTokenRing(SECRETS.ring),
    };
    const starter = { start: () => Promise.reject(new Error('the bench starts no purge')) };
    const sweep = createPurgeSweep(client, environment, createIndexReader(client, tableName));
    const { folds } = createFolding(environment, { client });
    return {
      ...createErasureDependencies(environment, source, { client, log, starter }),
      ...createExportDependencies(environment, source, { client, log }),
      foldHistory: (projectId: string, userId: string) =>
        folds.fold({ projectId, respondentHash: respondentHash(hashSecret, projectId, userId) }, Date.now()),
      async purgeAnswers(projectId: string) {
        for (let shard = 0; shard < sweep.shards; shard += 1) {
          await sweep.sweepShard({ projectId }, shard, () => false);
        }
        if (await sweep.isAnythingIndexed({ projectId })) throw new Error('the purge left something');
      },
    };
  }

  /** A new project without limits and rates, with these surveys or the demo's. */
  async function tenant(contents: readonly SurveyContent[] = DEMO_SURVEYS): Promise<Tenant> {
    const store = createProjectStore(client, tableName);
    const projectId = composeProjectId(randomBytes(PROJECT_ID_RANDOM_BYTES));
    const createdAt = new Date().toISOString();
    const issueKey = (kind: KeyKind) => {
      const random = randomBytes(KEY_RANDOM_BYTES);
      return issueAccessKey({
        abbreviation: environment.keyAbbreviation,
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
    environment,
    createClient,
    compose,
    tenant,
    seed: (plan: SeedPlan) =>
      seedAnswers({ endpoint, tableName }, { ...plan, shards: environment.shards, hashSecret }),
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
