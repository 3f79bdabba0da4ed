import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { createErasureLogTable, createTable } from '../../local/create-table.ts';
import { erasureLogOf } from '../../local/running-instance.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';

export interface TestTable {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  readonly endpoint: string;
  readonly erasureLogTableName: string;
}

/** No clock decides a test: a test that is about a time limit sets it. */
export const NO_LIMIT = Number.POSITIVE_INFINITY;

/** A client of the embedded DynamoDB whose calls take as long as they take. */
export const createTestClient = (endpoint: string): DynamoDBDocumentClient =>
  createDocumentClient({ endpoint, requestTimeoutMs: NO_LIMIT });

let made = 0;

/** A table of its own in the run's embedded DynamoDB. */
export async function createTestTable(): Promise<TestTable> {
  const endpoint = inject('dynamodbEndpoint');
  const client = createTestClient(endpoint);
  const tableName = `canvass-test-${process.pid}-${Date.now().toString(36)}-${made++}`;
  await createTable(client, tableName);
  const erasureLogTableName = erasureLogOf(tableName);
  await createErasureLogTable(client, erasureLogTableName);
  return { client, tableName, endpoint, erasureLogTableName };
}
