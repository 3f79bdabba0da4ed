/** The buckets that function instances share, one item each (docs/decisions/0030). */

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { HOUR, SECOND } from '../../domain/duration.ts';
import {
  type LeaseAsk,
  type LeaseReply,
  permitsOf,
  type RateLimit,
  termsOf,
} from '../../domain/rate-bucket.ts';
import { type TimeLimits, withDeadline } from '../table/deadline.ts';
import type { Key } from '../table/schema.ts';

/** A bucket untouched for so long is full, as one that does not exist. */
const ITEM_LIFETIME_MS = HOUR;

export interface RateLeases {
  /**
   * One conditional write.
   * @throws when the table does not answer within `leaseDeadlineMs`
   */
  ask(key: Key, ask: LeaseAsk, limit: RateLimit, now: number): Promise<LeaseReply>;
}

/** What a rate limit may cost a request when the table is slow, milliseconds. */
const DEFAULT_DEADLINE_MS = 300;

interface LeaseSettings extends Pick<TimeLimits, 'leaseDeadlineMs'> {
  readonly tableName: string;
}

function writeOf(ask: LeaseAsk, limit: RateLimit, now: number) {
  const { cost, full, earliest, latest } = termsOf(ask, limit, now);
  if (ask.refill) {
    return {
      set: ':after',
      condition: 'attribute_not_exists(emptyAt) OR emptyAt < :full',
      values: { ':after': full + cost, ':full': full },
    };
  }
  return {
    set: 'emptyAt + :cost',
    condition: 'emptyAt BETWEEN :earliest AND :latest',
    values: { ':cost': cost, ':earliest': earliest, ':latest': latest },
  };
}

function replyOf(
  granted: boolean,
  bucket: { readonly emptyAt?: unknown; readonly sold?: unknown } = {},
): LeaseReply {
  const [emptyAt, sold] = [Number(bucket.emptyAt), Number(bucket.sold)];
  return {
    granted,
    ...(Number.isFinite(emptyAt) && { emptyAt }),
    ...(Number.isFinite(sold) && { sold }),
  };
}

export function createRateLeases(
  client: DynamoDBDocumentClient,
  { tableName, leaseDeadlineMs = DEFAULT_DEADLINE_MS }: LeaseSettings,
): RateLeases {
  return {
    async ask(key, ask, limit, now) {
      const { set, condition, values } = writeOf(ask, limit, now);
      const update: UpdateCommandInput = {
        TableName: tableName,
        Key: key,
        UpdateExpression: `SET emptyAt = ${set}, #type = :type, #ttl = :ttl ADD sold :sold`,
        ConditionExpression: condition,
        ExpressionAttributeNames: { '#type': 'type', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ...values,
          ':sold': permitsOf(ask),
          ':type': 'rate-lease',
          ':ttl': Math.ceil((now + ITEM_LIFETIME_MS) / SECOND),
        },
        ReturnValues: 'UPDATED_OLD',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      };
      try {
        const lease = () => client.send(new UpdateCommand(update));
        const { Attributes } = await withDeadline(leaseDeadlineMs, lease);
        return replyOf(true, Attributes);
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return replyOf(false, { emptyAt: error.Item?.emptyAt?.N, sold: error.Item?.sold?.N });
      }
    },
  };
}
