import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const READS = new Set(['Query', 'Get', 'BatchGet', 'GetItem', 'BatchGetItem']);

interface Consumed {
  readonly CapacityUnits?: number;
}

function unitsOf(output: object): number {
  if (!('ConsumedCapacity' in output)) return 0;
  const consumed: readonly Consumed[] = [output.ConsumedCapacity ?? []].flat();
  return consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

/**
 * Adds up the calls of this client and what DynamoDB says they consumed.
 * @returns takes what was used since the last look
 */
export function meter(client: DynamoDBDocumentClient) {
  let counts = new Map<string, number>();
  let [readUnits, writeUnits] = [0, 0];
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
  return () => {
    const calls = [...counts].map(([operation, count]) => `${count} ${operation}`).join(', ') || 'none';
    const use = { 'read units': readUnits, 'write units': writeUnits, calls };
    counts = new Map();
    [readUnits, writeUnits] = [0, 0];
    return use;
  };
}
