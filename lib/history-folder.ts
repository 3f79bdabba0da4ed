import { Duration } from 'aws-cdk-lib';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type IFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Backends } from './backends.ts';
import { ServiceFunction } from './service-function.ts';

/** Answers alone that were marked when their token was issued: few. */
const MARKED = {
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { NewImage: { fold: { BOOL: FilterRule.isEqual(true) } } },
};

/**
 * Folds the histories of respondents who answer often (docs/decisions/0040-folded-histories.md). A fold that is lost costs read
 * units until the respondent's next answer asks for it again, so nothing is kept of a batch that failed.
 */
export class HistoryFolder extends Construct {
  readonly function: IFunction;

  constructor(scope: Construct, id: string, backends: Backends) {
    super(scope, id);
    const { table } = backends;
    const folder = new ServiceFunction(this, 'fold-histories', {
      name: 'fold-histories',
      timeoutSeconds: 60,
      backends,
    });
    folder.connect({ table: ['GetItem', 'Query', 'UpdateItem', 'ConditionCheckItem'] });
    folder.may.allowStream();
    this.function = folder.function;
    new EventSourceMapping(this, 'Stream', {
      target: folder.function,
      eventSourceArn: table.streamArn,
      startingPosition: StartingPosition.LATEST,
      filters: [FilterCriteria.filter(MARKED)],
      batchSize: 100,
      maxBatchingWindow: Duration.seconds(10),
      maxRecordAge: Duration.hours(1),
      retryAttempts: 2,
    });
  }
}
