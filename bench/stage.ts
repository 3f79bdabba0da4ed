/** What every part of the bench runs against: an embedded DynamoDB, a table, a project with the demo's surveys. */

import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RuntimeSettings } from '../functions/runtime/runtime-settings.ts';
import { createErasureLogTable, createTable } from '../local/create-table.ts';
import { DEMO_SURVEYS } from '../local/demo-surveys.ts';
import { startEmbeddedDynamodb } from '../local/embedded-dynamodb.ts';
import { erasureLogOf } from '../local/running-instance.ts';
import { composeAccessKey, hashAccessKey, KEY_RANDOM_BYTES } from '../shared/crypto/access-key.ts';
import type { SecretSource } from '../shared/crypto/secret-source.ts';
import { createProjectStore } from '../shared/data/projects/project-store.ts';
import { createDocumentClient } from '../shared/data/table/client.ts';
import { DEFAULT_INDEX_SHARDS } from '../shared/data/table/schema.ts';
import {
  composeProjectId,
  composeSurveyId,
  keyIdOf,
  PROJECT_ID_RANDOM_BYTES,
  SURVEY_ID_RANDOM_BYTES,
} from '../shared/domain/ids.ts';
import { DEFAULT_TOKEN_LIFETIME_MS, type KeyKind } from '../shared/domain/project.ts';
import type { Survey, SurveyContent } from '../shared/domain/survey.ts';
import { removeScratchFolder, scratchFolder } from './scratch.ts';

/** Log lines are those of a deployment, metrics included. */
export const METRICS_NAMESPACE = 'Canvass/bench';

export const HASH_SECRET = new Uint8Array(32).fill(9);
const TOKEN_KEY = { id: '00000001', secret: new Uint8Array(32).fill(7), activeFrom: 0 };

export const SECRETS: SecretSource = {
  readHashSecret: async () => HASH_SECRET,
  readTokenRing: async () => [TOKEN_KEY],
};

export interface BenchTenant {
  readonly projectId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly surveys: readonly Survey[];
}

export interface Stage {
  readonly endpoint: string;
  readonly client: DynamoDBDocumentClient;
  readonly environment: RuntimeSettings & { readonly erasureLogTableName: string };
  /** A project without limits and rates, with these surveys or the demo's. */
  readonly tenant: (contents?: readonly SurveyContent[]) => Promise<BenchTenant>;
  readonly stop: () => Promise<void>;
}

export async function startStage(): Promise<Stage> {
  const dataFolder = scratchFolder();
  const dynamodb = await startEmbeddedDynamodb({ dataFolder });
  const client = createDocumentClient({ endpoint: dynamodb.endpoint });
  const tableName = 'canvass-bench';
  await createTable(client, tableName);
  const erasureLogTableName = erasureLogOf(tableName);
  await createErasureLogTable(client, erasureLogTableName);
  const store = createProjectStore(client, tableName);
  const createdAt = new Date().toISOString();

  async function tenant(contents: readonly SurveyContent[] = DEMO_SURVEYS): Promise<BenchTenant> {
    const projectId = composeProjectId(randomBytes(PROJECT_ID_RANDOM_BYTES));
    const keyOf = (kind: KeyKind) => {
      const text = composeAccessKey('svc', kind, projectId, randomBytes(KEY_RANDOM_BYTES));
      const hash = hashAccessKey(text);
      return { text, stored: { id: keyIdOf(hash), kind, hash, createdAt } };
    };
    const publishable = keyOf('publishable');
    const secret = keyOf('secret');
    await store.createProject(
      {
        id: projectId,
        name: 'Bench',
        status: 'active',
        allowedOrigins: [],
        limits: { quietPeriodMs: 0, monthlyCap: 0 },
        rates: { publishable: 0, secret: 0 },
        tokenLifetimeMs: DEFAULT_TOKEN_LIFETIME_MS,
        createdAt,
      },
      [publishable.stored, secret.stored],
    );
    const surveys: Survey[] = contents.map((content) => ({
      id: composeSurveyId(randomBytes(SURVEY_ID_RANDOM_BYTES)),
      status: 'active',
      limits: {},
      content,
    }));
    for (const survey of surveys) await store.createSurvey(projectId, survey);
    return { projectId, publishableKey: publishable.text, secretKey: secret.text, surveys };
  }

  return {
    endpoint: dynamodb.endpoint,
    client,
    environment: {
      tableName,
      erasureLogTableName,
      stage: 'bench',
      keyAbbreviation: 'svc',
      shards: DEFAULT_INDEX_SHARDS,
      defaultAddressRate: 0,
      settingsLifetimeMs: 30_000,
      hashSecretId: 'hash',
      tokenRingId: 'ring',
      dynamodbEndpoint: dynamodb.endpoint,
    },
    tenant,
    async stop() {
      client.destroy();
      await dynamodb.stop();
      removeScratchFolder(dataFolder);
    },
  };
}
