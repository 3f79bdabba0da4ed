import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { createErasureLogTable, createTable } from '../../../local/create-table.ts';
import { erasureLogOf } from '../../../local/running-instance.ts';
import { createErasureLog } from '../../../shared/data/privacy/erasure-log.ts';
import { createErasureStore } from '../../../shared/data/privacy/erasure-store.ts';
import { createWithdrawals } from '../../../shared/data/scores/withdrawals.ts';
import { createDynamodbClient } from '../../../shared/data/table/client.ts';
import { createIndexReader, type ReadIndex } from '../../../shared/data/table/index-reader.ts';
import { ERASURE_LOG } from '../../../shared/data/table/schema.ts';
import { createTable as createGateway, type Table } from '../../../shared/data/table/table.ts';
import { TEST_SHARDS } from '../fixtures/seed-answers.ts';

export interface TestTable {
  readonly client: DynamoDBDocumentClient;
  readonly table: Table;
  readonly erasureLog: Table;
  readonly readIndex: ReadIndex;
  readonly tableName: string;
  readonly endpoint: string;
  readonly erasureLogTableName: string;
}

/** Prevents real time from affecting a test. */
export const NO_LIMIT = Number.POSITIVE_INFINITY;

const UNCHECKED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20261122/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20261122T000000Z',
};

/** The emulator checks no signatures, and computing them takes a fifth of a call's processor time. */
export function withoutSigning<T extends DynamoDBClient>(client: T): T {
  client.config.signer = async () => ({
    sign: async (request) => {
      Object.assign(request.headers, UNCHECKED);
      return request;
    },
  });
  return client;
}

export const createTestClient = (endpoint: string): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    withoutSigning(createDynamodbClient({ endpoint, requestTimeoutMs: NO_LIMIT })),
    {
      marshallOptions: { removeUndefinedValues: true },
    },
  );

export type Item = NonNullable<QueryCommandOutput['Items']>[number];

let made = 0;

export async function createTestTable(): Promise<TestTable> {
  const endpoint = inject('dynamodbEndpoint');
  const client = createTestClient(endpoint);
  const tableName = `canvass-test-${process.pid}-${Date.now().toString(36)}-${made++}`;
  await createTable(client, tableName);
  const erasureLogTableName = erasureLogOf(tableName);
  await createErasureLogTable(client, erasureLogTableName);
  return {
    client,
    table: createGateway(client, { name: tableName }),
    erasureLog: createGateway(client, { name: erasureLogTableName, keys: ERASURE_LOG }),
    readIndex: createIndexReader(client, tableName),
    tableName,
    endpoint,
    erasureLogTableName,
  };
}

export const createTestErasures = ({ table, erasureLog }: Pick<TestTable, 'table' | 'erasureLog'>) =>
  createErasureStore({
    table,
    shards: TEST_SHARDS,
    log: createErasureLog(erasureLog),
    withdrawals: createWithdrawals({ table, shards: TEST_SHARDS, clock: Date.now }),
  });
