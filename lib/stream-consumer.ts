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
import { SCORE_WAKER_ENVIRONMENT } from '../shared/settings/environment.ts';
import { FailureQueue } from './failure-queue.ts';
import type { Backends } from './functions/function-role.ts';
import { ServiceFunction } from './functions/service-function.ts';

/**
 * Without filters, each write of the consumer would invoke it again, in an endless loop. Pruning a person's shows
 * invokes it once more, which finds nothing to prune.
 */
const ofTypes = (image: 'OldImage' | 'NewImage', ...types: string[]) =>
  FilterCriteria.filter({ dynamodb: { [image]: { type: { S: FilterRule.or(...types) } } } });

/**
 * The only consumer of the table's stream (decision 80). The mapping keeps its old logical id, because a new one would
 * lose the position in the stream.
 */
export class StreamConsumer extends Construct {
  readonly function: IFunction;
  readonly abandoned: IQueue;
  readonly #consumer: ServiceFunction;

  constructor(scope: Construct, id: string, backends: Backends) {
    super(scope, id);
    const { table, settings, events } = backends;
    const consumer = new ServiceFunction(this, 'on-change', {
      name: 'on-change',
      timeoutSeconds: 60,
      backends,
    });
    consumer.connect({ table: ['GetItem', 'Query', 'UpdateItem', 'ConditionCheckItem'] });
    consumer.may.allowIn(COUNTED_PARTITIONS, 'PutItem', { inTransactions: true });

    this.function = consumer.function;
    this.#consumer = consumer;
    const abandoned = new FailureQueue(this, 'Abandoned', settings);
    this.abandoned = abandoned;
    consumer.may.allowQueue(abandoned.queueArn);
    consumer.may.allowStream();
    events?.connect(consumer);
    // If the queue is unavailable, events go to the bus directly. Neither may delay counting.
    events?.connectBus(consumer);
    new EventSourceMapping(this, 'Stream', {
      target: consumer.function,
      eventSourceArn: table.streamArn,
      // An existing table's stream contains answers that are already counted.
      startingPosition: table.isExisting ? StartingPosition.LATEST : StartingPosition.TRIM_HORIZON,
      filters: [
        ofTypes(
          'NewImage',
          'response',
          'dismissal',
          'fold-request',
          'shown',
          ...(events === undefined ? [] : ['purge', 'survey-change']),
        ),
        ofTypes('OldImage', 'response', 'dismissal'),
      ],
      batchSize: 1_000,
      maxBatchingWindow: Duration.seconds(2),
      parallelizationFactor: 1,
      // Records are marked one by one, so a split batch that failed or timed out counts nothing twice.
      bisectBatchOnError: true,
      maxRecordAge: Duration.hours(6),
      retryAttempts: 1_000,
      onFailure: { bind: () => ({ destination: abandoned.queueArn }) },
    });
  }
  wake({ functionArn }: IFunction): void {
    this.#consumer.may.allow(['lambda:InvokeFunction'], [functionArn]);
    this.#consumer.setEnvironment({ [SCORE_WAKER_ENVIRONMENT.functionArn]: functionArn });
  }
}
