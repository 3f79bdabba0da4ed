import { clock, folds, log } from './runtime/compose.ts';
import { serviceOnLambda } from './runtime/on-lambda.ts';
import { createBatchFolder } from './stream/fold-batch.ts';

/** Folds long histories, behind every request, so that reading them stays cheap. */
export const handler = serviceOnLambda((service) =>
  createBatchFolder({ folds: folds(service), clock: clock(service), log: log(service) }),
);
