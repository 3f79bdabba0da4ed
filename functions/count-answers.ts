import { totals } from './runtime/compose.ts';
import { serviceOnLambda } from './runtime/on-lambda.ts';
import { createBatchCounter } from './stream/count-batch.ts';

/** Counts accepted responses from the table's stream, behind every request. */
export const handler = serviceOnLambda((service) => createBatchCounter(totals(service)));
