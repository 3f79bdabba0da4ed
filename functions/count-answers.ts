import { createTotals } from './runtime/dependencies.ts';
import { underLambda } from './runtime/on-lambda.ts';
import { createBatchCounter } from './stream/count-batch.ts';

/** Counts accepted responses from the table's stream, behind every request. */
export const handler = underLambda((environment) => createBatchCounter(createTotals(environment)));
