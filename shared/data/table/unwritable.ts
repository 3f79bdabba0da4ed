/** Which failures of a write are for good: DynamoDB would refuse the same write again, however often it is tried. */

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';

export function isUnwritable(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ValidationError');
  }
  return error instanceof Error && error.name === 'ValidationException';
}
