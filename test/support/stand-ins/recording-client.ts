import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTestClient } from '../service/test-table.ts';

export interface RecordedCall {
  readonly operation: string;
  /** A transaction has one action for each of its parts. */
  readonly actions: readonly string[];
  /** Whether the call counts requests or records a key's use. Only some requests make such calls. */
  readonly isCounting: boolean;
  readonly index?: string;
  readonly table?: string | undefined;
  /** As reported by DynamoDB. */
  readonly units: Readonly<Record<string, number>>;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface RecordingClient {
  readonly client: DynamoDBDocumentClient;
  readonly take: () => RecordedCall[];
  /** Includes aborted calls. */
  readonly takeBegun: () => string[];
}

interface CapacityByPart {
  readonly Table?: { readonly CapacityUnits?: number };
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits?: number }>>;
}

/** A batch or a transaction reports a list. */
function unitsOf(capacity: CapacityByPart | readonly CapacityByPart[] = []): Record<string, number> {
  const units: Record<string, number> = { table: 0 };
  for (const { Table, GlobalSecondaryIndexes = {} } of [capacity].flat()) {
    units.table = (units.table ?? 0) + (Table?.CapacityUnits ?? 0);
    for (const [index, part] of Object.entries(GlobalSecondaryIndexes))
      units[index] = (units[index] ?? 0) + (part.CapacityUnits ?? 0);
  }
  return units;
}

const ACTION_OF_PART: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

interface Input {
  readonly Key?: { readonly pk?: { readonly S?: string } };
  readonly TableName?: string;
  readonly RequestItems?: object;
  readonly IndexName?: string;
  readonly TransactItems?: object[];
}

function actionsOf(operation: string, parts: readonly object[] | undefined): string[] {
  if (parts === undefined) return [operation];
  return parts.flatMap((part) => Object.keys(part).map((name) => ACTION_OF_PART[name] ?? name));
}

export function createRecordingClient(endpoint: string): RecordingClient {
  const client = createTestClient(endpoint);
  let calls: RecordedCall[] = [];
  let begun: string[] = [];
  let step = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const input = args.input as Input;
      const operation = String(context.commandName).replace(/Command$/, '');
      const startedAt = step++;
      begun.push(`${operation}${input.IndexName ?? ''}`);
      const result = await next({
        ...args,
        input: { ...input, ReturnConsumedCapacity: 'INDEXES' } as typeof args.input,
      });
      const { ConsumedCapacity } = result.output as {
        ConsumedCapacity?: CapacityByPart | readonly CapacityByPart[];
      };
      calls.push({
        operation,
        actions: actionsOf(operation, input.TransactItems),
        isCounting: /^P#[^#]+#RATE#/.test(input.Key?.pk?.S ?? ''),
        ...(input.IndexName !== undefined && { index: input.IndexName }),
        table: input.TableName ?? Object.keys(input.RequestItems ?? {})[0],
        units: unitsOf(ConsumedCapacity),
        startedAt,
        endedAt: step++,
      });
      return result;
    },
    { step: 'initialize', priority: 'high' },
  );
  return {
    client,
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
    takeBegun() {
      const taken = begun;
      begun = [];
      return taken;
    },
  };
}
