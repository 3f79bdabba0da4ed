import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../shared/data/table/client.ts';

interface Use {
  /** `2 Query, 1 PutItem` */
  readonly calls: string;
  readonly readUnits: number;
  readonly writeUnits: number;
}

export interface MeteredClient {
  readonly client: DynamoDBDocumentClient;
  /** What was used since the last look. */
  readonly take: () => Use;
}

const READS = new Set(['Query', 'Get', 'BatchGet', 'Scan', 'GetItem', 'BatchGetItem']);

interface Consumed {
  readonly CapacityUnits?: number;
}

function unitsOf(output: object): number {
  if (!('ConsumedCapacity' in output)) return 0;
  const consumed: readonly Consumed[] = [output.ConsumedCapacity ?? []].flat();
  return consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

/** A client that adds up what DynamoDB says it consumed. */
export function createMeteredClient(endpoint: string): MeteredClient {
  const client = createDocumentClient({ endpoint });
  let counts = new Map<string, number>();
  let readUnits = 0;
  let writeUnits = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' as const };
      const result = await next({ ...args, input });
      const operation = String(context.commandName).replace(/Command$/, '');
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      if (READS.has(operation)) readUnits += unitsOf(result.output);
      else writeUnits += unitsOf(result.output);
      return result;
    },
    { step: 'initialize', priority: 'high' },
  );
  return {
    client,
    take() {
      const calls = [...counts].map(([operation, count]) => `${count} ${operation}`).join(', ');
      const use = { calls, readUnits, writeUnits };
      counts = new Map();
      readUnits = 0;
      writeUnits = 0;
      return use;
    },
  };
}
