/** Which failures of a write are for good: DynamoDB would refuse the same write again, however often it is tried. */

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

/** Whether it is for what an item holds, its size or a type (DynamoDB, TransactWriteItems: cancellation reasons). */
export const isRefusedForItem = (error: unknown): boolean =>
  error instanceof TransactionCanceledException &&
  (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ValidationError');

export const isUnwritable = (error: unknown): boolean =>
  isRefusedForItem(error) || (error instanceof Error && error.name === 'ValidationException');
