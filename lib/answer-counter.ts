import { Duration } from 'aws-cdk-lib';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type IFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { COUNTED_PARTITIONS } from '../shared/data/table/schema.ts';
import type { Backends } from './backends.ts';
import { FailureQueue } from './failure-queue.ts';
import { ServiceFunction } from './service-function.ts';

/** Accepted answers alone: a response that came in over the API, not an import, and nothing that changes it later. */
const ACCEPTED_RESPONSE = {
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: {
    NewImage: { type: { S: FilterRule.isEqual('response') }, source: { S: FilterRule.isEqual('sdk') } },
  },
};

/**
 * Counts accepted responses from the table's stream into the totals. A batch is never split and never mixed with
 * another: redelivered, it must be the same batch, since by that it is recognised and counts once.
 */
export class AnswerCounter extends Construct {
  readonly function: IFunction;
  readonly abandoned: IQueue;

  constructor(scope: Construct, id: string, backends: Backends) {
    super(scope, id);
    const { table, settings } = backends;
    const counter = new ServiceFunction(this, 'count-answers', {
      name: 'count-answers',
      timeoutSeconds: 60,
      backends,
    });
    counter.connect({ table: ['UpdateItem'] });
    counter.may.allowIn(COUNTED_PARTITIONS, 'PutItem', { inTransactions: true });

    this.function = counter.function;
    const abandoned = new FailureQueue(this, 'Abandoned', settings);
    this.abandoned = abandoned;
    counter.may.allowQueue(abandoned.queueArn);
    counter.may.allowStream();
    new EventSourceMapping(this, 'Stream', {
      target: counter.function,
      eventSourceArn: table.streamArn,
      // A table that was there before has counted answers in its stream.
      startingPosition: table.isExisting ? StartingPosition.LATEST : StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter(ACCEPTED_RESPONSE)],
      batchSize: 1_000,
      maxBatchingWindow: Duration.seconds(2),
      parallelizationFactor: 1,
      bisectBatchOnError: false,
      maxRecordAge: Duration.hours(6),
      retryAttempts: 1_000,
      onFailure: { bind: () => ({ destination: abandoned.queueArn }) },
    });
  }
}
