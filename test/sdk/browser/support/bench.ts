/** What the browser tests share: the local service, customers' pages, one Chromium. */

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDynamodb } from '../../../../local/embedded-dynamodb.ts';
import { startInstance } from '../../../../local/instance.ts';
import { LOCAL_TABLE_NAME, readRunningInstance } from '../../../../local/running-instance.ts';
import { buildSdk } from '../../../../sdk/build-browser.ts';
import { issueAccessKey, KEY_RANDOM_BYTES } from '../../../../shared/crypto/access-key.ts';
import { createProjectStore, type ProjectStore } from '../../../../shared/data/projects/project-store.ts';
import { createDynamodbClient } from '../../../../shared/data/table/client.ts';
import { createIndexReader } from '../../../../shared/data/table/index-reader.ts';
import { createTable } from '../../../../shared/data/table/table.ts';
import { composeProjectId, PROJECT_ID_RANDOM_BYTES } from '../../../../shared/domain/ids.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_RATES,
  DEFAULT_TOKEN_LIFETIME_MS,
} from '../../../../shared/domain/project.ts';
import type { SurveyContent } from '../../../../shared/domain/survey.ts';
import { launchChromium } from './chromium.ts';
import { startPageServer } from './page-server.ts';
import { AUTO_SURVEYS, SURVEYS } from './surveys.ts';

export interface Tenant {
  readonly key: string;
  readonly secretKey: string;
  /** Ids by slug. */
  readonly surveys: Readonly<Record<string, string>>;
}

export interface Bench {
  /** Of the service. */
  readonly service: string;
  /** Of customers' pages. */
  readonly pages: string;
  readonly browser: string;
  readonly tenant: Tenant;
  readonly autoTenant: Tenant;
  /** Address of the table's database, and the id of the demo project in it. */
  readonly database: string;
  readonly demoProject: string;
}

async function createTenant(
  store: ProjectStore,
  hashSecret: Uint8Array,
  contents: readonly SurveyContent[],
): Promise<Tenant> {
  const createdAt = new Date().toISOString();
  const projectId = composeProjectId(randomBytes(PROJECT_ID_RANDOM_BYTES));
  const keyOf = (kind: 'publishable' | 'secret') =>
    issueAccessKey(hashSecret, {
      abbreviation: 'svc',
      kind,
      projectId,
      random: randomBytes(KEY_RANDOM_BYTES),
      createdAt,
    });
  const [publishable, secret] = [keyOf('publishable'), keyOf('secret')];
  await store.createProject(
    {
      id: projectId,
      name: 'Shop',
      status: 'active',
      allowedOrigins: [],
      limits: DEFAULT_LIMITS,
      rates: DEFAULT_RATES,
      tokenLifetimeMs: DEFAULT_TOKEN_LIFETIME_MS,
      createdAt,
    },
    [publishable.stored, secret.stored],
  );
  const surveys: Record<string, string> = {};
  for (const content of contents) {
    const id = `sv_${randomUUID()}`;
    surveys[content.slug] = id;
    await store.createSurvey(projectId, { id, status: 'active', limits: {}, content });
  }
  return { key: publishable.text, secretKey: secret.text, surveys };
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
  const store = createProjectStore(
    createTable(client, { name: LOCAL_TABLE_NAME }),
    createIndexReader(client, LOCAL_TABLE_NAME),
  );
  const hashSecret = Buffer.from(readRunningInstance(folder)?.hashSecret ?? '');
  const tenant = await createTenant(store, hashSecret, SURVEYS);
  const autoTenant = await createTenant(store, hashSecret, AUTO_SURVEYS);
  const pages = await startPageServer(await buildSdk());
  const browser = await launchChromium();
  return {
    service: instance.url,
    pages: pages.url,
    browser: browser.wsEndpoint(),
    tenant,
    autoTenant,
    database: dynamodb.endpoint,
    demoProject: instance.demo.projectId,
    async stop() {
      await browser.close();
      await pages.stop();
      await instance.stop();
      await dynamodb.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
