import { createHash } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { scanAll } from './scan-all.ts';
import type { TestTable } from './test-table.ts';

/** The stream's records of a project's answers, shows and requests to fold, as if each had just been inserted. */
export async function insertsOf(table: TestTable, projectId: string): Promise<DynamoDBStreamEvent> {
  const items = await scanAll(table, projectId);
  const streamed = items.filter(({ type }) =>
    ['response', 'dismissal', 'fold-request', 'shown'].includes(type),
  );
  const imageOf = (item: object) =>
    marshall(item, { removeUndefinedValues: true }) as Record<string, { S: string }>;
  return {
    Records: streamed.map((item) => ({
      eventID: createHash('sha256').update(`${item.pk} ${item.sk}`).digest('hex').slice(0, 32),
      eventName: 'INSERT' as const,
      dynamodb: { Keys: imageOf({ pk: item.pk, sk: item.sk }), NewImage: imageOf(item) },
    })),
  };
}
