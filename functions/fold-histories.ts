import { createFolding } from './runtime/dependencies.ts';
import { underLambda } from './runtime/on-lambda.ts';
import { createBatchFolder } from './stream/fold-batch.ts';

/** Folds long histories, behind every request, so that reading them stays cheap. */
export const handler = underLambda((environment) => createBatchFolder(createFolding(environment)));
