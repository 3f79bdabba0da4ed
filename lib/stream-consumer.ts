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
import type { Backends } from './functions/backends.ts';
import { ServiceFunction } from './functions/service-function.ts';

/**
 * Lets through changes of answers and shows, and requests to fold a history. The consumer writes to the table whose
 * stream it reads: without a filter each of its writes would call it again, for ever. Pruning a person's shows calls it
 * once more; that call finds nothing to prune.
 */
const ofTypes = (image: 'OldImage' | 'NewImage', ...types: string[]) =>
  FilterCriteria.filter({ dynamodb: { [image]: { type: { S: FilterRule.or(...types) } } } });

/**
 * The one consumer of the table's stream: it counts totals and results, folds histories, prunes shows, wakes the score
 * adapter and queues events (decision 80).
 * The mapping keeps its logical id, from when it counted totals alone: another id would lose the place in the stream.
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
    // Were the queue away, the bus takes events itself: neither holds up counting alone.
    events?.connectBus(consumer);
    new EventSourceMapping(this, 'Stream', {
      target: consumer.function,
      eventSourceArn: table.streamArn,
      // A table that was there before has counted answers in its stream.
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
      // Records are noted singly: halves of a batch that failed, or ran out of time, count nothing twice.
      bisectBatchOnError: true,
      maxRecordAge: Duration.hours(6),
      retryAttempts: 1_000,
      onFailure: { bind: () => ({ destination: abandoned.queueArn }) },
    });
  }
  /** Has the consumer invoke the score adapter when a batch holds a new score. */
  wake({ functionArn }: IFunction): void {
    this.#consumer.may.allow(['lambda:InvokeFunction'], [functionArn]);
    this.#consumer.setEnvironment({ [SCORE_WAKER_ENVIRONMENT.functionArn]: functionArn });
  }
}
