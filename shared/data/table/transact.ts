import { setTimeout as pause } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** Operators meet rarely, and a conflict lasts as long as one round trip. */
const ATTEMPTS = 8;
const PAUSE_MS = 25;

/**
 * Writes all or nothing; tries again when another transaction was at one of the items. A write of our own that
 * the SDK repeats counts once, by the request token it generates.
 * @returns false, with nothing written, when a condition does not hold
 */
export async function transact(client: DynamoDBDocumentClient, items: TransactItems): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: items }));
      return true;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = new Set(error.CancellationReasons?.map(({ Code }) => Code));
      if (codes.has('ConditionalCheckFailed')) return false;
      if (!codes.has('TransactionConflict') || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS * attempt);
    }
  }
}
