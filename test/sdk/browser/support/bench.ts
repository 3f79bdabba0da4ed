import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSdk } from '../../../../bin/build/build-sdk.ts';
import { startEmbeddedDynamodb } from '../../../../local/embedded-dynamodb.ts';
import { startInstance } from '../../../../local/instance.ts';
import { LOCAL_TABLE_NAME, readRunningInstance } from '../../../../local/running-instance.ts';
import { issueAccessKey, KEY_RANDOM_BYTES } from '../../../../shared/crypto/access-key.ts';
import { IDENTITY_NONCE_BYTES, sealIdentitySecret } from '../../../../shared/crypto/identity-secret.ts';
import {
  createIdentitySecretStore,
  createProjectStore,
  type ProjectStore,
} from '../../../../shared/data/projects/project-store.ts';
import { createDynamodbClient } from '../../../../shared/data/table/client.ts';
import { createIndexReader } from '../../../../shared/data/table/index-reader.ts';
import { createTable, type Table } from '../../../../shared/data/table/table.ts';
import { composeProjectId, PROJECT_ID_RANDOM_BYTES } from '../../../../shared/domain/ids.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_RATES,
  DEFAULT_TOKEN_LIFETIME_MS,
  type IdentityMode,
} from '../../../../shared/domain/project.ts';
import type { SurveyContent } from '../../../../shared/domain/surveys/survey.ts';
import { startPageServer } from './page-server.ts';
import { AUTO_SURVEYS, OPENED_SURVEYS, PLACED_SURVEYS, SURVEYS } from './surveys.ts';

export interface Tenant {
  readonly key: string;
  readonly secretKey: string;
  readonly editorKey: string;
  /** Survey ids by slug. */
  readonly surveys: Readonly<Record<string, string>>;
}

export interface Bench {
  readonly service: string;
  readonly pages: string;
  readonly tenant: Tenant;
  readonly autoTenant: Tenant;
  readonly placedTenant: Tenant;
  readonly openedTenant: Tenant;
  /** A project that requires identity tokens signed with this secret. */
  readonly provenTenant: Tenant & { readonly identitySecret: string };
  /** Address of the database, and the id of its demo project. */
  readonly database: string;
  readonly demoProject: string;
}

async function createTenant(
  store: ProjectStore,
  hashSecret: Uint8Array,
  contents: readonly SurveyContent[],
  identity: IdentityMode = 'off',
): Promise<Tenant & { readonly projectId: string }> {
  const createdAt = new Date().toISOString();
  const projectId = composeProjectId(randomBytes(PROJECT_ID_RANDOM_BYTES));
  const keyOf = (kind: 'publishable' | 'secret' | 'editor') =>
    issueAccessKey(hashSecret, {
      abbreviation: 'svc',
      kind,
      ...(kind === 'editor' && { scopes: ['results', 'contacts', 'surveys'] }),
      projectId,
      random: randomBytes(KEY_RANDOM_BYTES),
      createdAt,
    });
  const [publishable, secret, editor] = [keyOf('publishable'), keyOf('secret'), keyOf('editor')];
  await store.createProject(
    {
      id: projectId,
      name: 'Shop',
      status: 'active',
      identity,
      allowedOrigins: [],
      limits: DEFAULT_LIMITS,
      rates: DEFAULT_RATES,
      tokenLifetimeMs: DEFAULT_TOKEN_LIFETIME_MS,
      createdAt,
    },
    [publishable.stored, secret.stored, editor.stored],
  );
  const surveys: Record<string, string> = {};
  for (const content of contents) {
    const id = `sv_${randomUUID()}`;
    surveys[content.slug] = id;
    const reasonCodes = content.reasons?.map(({ code }) => code);
    await store.createSurvey(projectId, { id, status: 'active', limits: {}, content, reasonCodes });
  }
  const keys = { key: publishable.text, secretKey: secret.text, editorKey: editor.text };
  return { projectId, ...keys, surveys };
}

async function createIdentitySecret(
  table: Table,
  hashSecret: Uint8Array,
  projectId: string,
): Promise<string> {
  const id = randomUUID();
  const secret = randomBytes(32).toString('base64url');
  const sealed = sealIdentitySecret(hashSecret, projectId, {
    id,
    secret,
    nonce: randomBytes(IDENTITY_NONCE_BYTES),
  });
  await createIdentitySecretStore(table).add(projectId, { id, createdAt: new Date().toISOString(), sealed });
  return secret;
}

export async function startBench(): Promise<Bench & { stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'canvass-browser-'));
  const dynamodb = await startEmbeddedDynamodb({
    dataFolder: folder,
    endpoint: process.env.DYNAMODB_ENDPOINT,
  });
  const instance = await startInstance({
    port: 0,
    dataFolder: folder,
    inMemory: true,
    dynamodbEndpoint: dynamodb.endpoint,
    log: () => undefined,
  });
  const client = createDynamodbClient({ endpoint: dynamodb.endpoint });
  const table = createTable(client, { name: LOCAL_TABLE_NAME });
  const store = createProjectStore(table, createIndexReader(client, LOCAL_TABLE_NAME));
  const hashSecret = Buffer.from(readRunningInstance(folder)?.hashSecret ?? '');
  const tenant = await createTenant(store, hashSecret, SURVEYS);
  const autoTenant = await createTenant(store, hashSecret, AUTO_SURVEYS);
  const placedTenant = await createTenant(store, hashSecret, PLACED_SURVEYS);
  const openedTenant = await createTenant(store, hashSecret, OPENED_SURVEYS);
  const proven = await createTenant(store, hashSecret, SURVEYS, 'required');
  const identitySecret = await createIdentitySecret(table, hashSecret, proven.projectId);
  const pages = await startPageServer(await buildSdk());
  return {
    service: instance.url,
    pages: pages.url,
    tenant,
    autoTenant,
    placedTenant,
    openedTenant,
    provenTenant: { ...proven, identitySecret },
    database: dynamodb.endpoint,
    demoProject: instance.demo.projectId,
    async stop() {
      await pages.stop();
      await instance.stop();
      await dynamodb.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
