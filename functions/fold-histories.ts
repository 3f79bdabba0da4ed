import { createFolding } from './runtime/dependencies.ts';
import { createBatchFolder } from './runtime/fold-batch.ts';
import { underLambda } from './runtime/on-lambda.ts';

/** Folds long histories, behind every request, so that reading them stays cheap. */
export const handler = underLambda((environment) => createBatchFolder(createFolding(environment)));
