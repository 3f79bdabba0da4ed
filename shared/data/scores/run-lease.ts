/** Single flight of a scheduled job: one item says who runs it and until when, and keeps what the next run must know. */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { runLeaseKey } from '../table/schema.ts';

/** Small texts by name that one run leaves to the next. */
export type RunMemory = Readonly<Record<string, string>>;

export interface RunLease {
  /**
   * Takes the lease until a moment (milliseconds since the epoch); one that has passed is anybody's.
   * @param holder fresh per run
   * @returns what the run before left, or undefined when another holds it
   */
  acquire(holder: string, now: number, until: number): Promise<RunMemory | undefined>;
  /** Gives it back with what the next run must know; does nothing when another holds it by now. */
  release(holder: string, memory: RunMemory): Promise<void>;
}

export function createRunLease(client: DynamoDBDocumentClient, tableName: string, job: string): RunLease {
  async function update(expression: string, condition: string, values: object) {
    const names = { '#until': 'until', ...(expression.includes('#type') && { '#type': 'type' }) };
    try {
      return await client.send(
        new UpdateCommand({
          TableName: tableName,
          Key: runLeaseKey(job),
          UpdateExpression: expression,
          ConditionExpression: condition,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ...values },
          ReturnValues: 'ALL_NEW',
        }),
      );
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }

  return {
    async acquire(holder, now, until) {
      // The holder may be ourselves, when the SDK repeats a write whose reply was lost.
      const taken = await update(
        'SET #type = :type, holder = :holder, #until = :until',
        'attribute_not_exists(pk) OR #until <= :now OR holder = :holder',
        { ':holder': holder, ':until': until, ':now': now, ':type': 'run-lease' },
      );
      return taken === undefined ? undefined : (taken.Attributes?.memory ?? {});
    },
    async release(holder, memory) {
      await update('SET #until = :free, memory = :memory', 'holder = :holder', {
        ':holder': holder,
        ':free': 0,
        ':memory': memory,
      });
    },
  };
}
