/** The steps of the purge's state machine: what they are given, and how the platform calls them. */

import * as z from 'zod/mini';
import { createErasureLog, type ErasureLog } from '../../shared/data/privacy/erasure-log.ts';
import { createPurgeRecords, type PurgeRecords } from '../../shared/data/privacy/purge-records.ts';
import { createPurgeSettings, type PurgeSettings } from '../../shared/data/privacy/purge-settings.ts';
import { createPurgeSweep, type PurgeSweep } from '../../shared/data/privacy/purge-sweep.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import { createIndexReader } from '../../shared/data/table/index-reader.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { Seams } from './dependencies.ts';
import { createLogger, type Logger } from './logger.ts';
import { underLambda } from './on-lambda.ts';
import { type ErasureSettings, type RuntimeSettings, readErasureLogTableName } from './runtime-settings.ts';

/** Nobody waits for a purge: it sits a throttled table out. */
const PATIENCE = { maxAttempts: 10, requestTimeoutMs: 5 * SECOND };

export interface PurgeDependencies {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly log: Logger;
  readonly erasureLog: ErasureLog;
  readonly records: PurgeRecords;
  readonly settings: PurgeSettings;
  readonly sweep: PurgeSweep;
}

export function createPurgeDependencies(
  environment: Pick<RuntimeSettings, 'tableName' | 'shards' | 'dynamodbEndpoint' | 'metricsNamespace'> &
    Pick<ErasureSettings, 'erasureLogTableName'>,
  seams: Seams = {},
): PurgeDependencies {
  const { tableName, erasureLogTableName, dynamodbEndpoint: endpoint, metricsNamespace } = environment;
  const client = seams.client ?? createDocumentClient({ endpoint, ...PATIENCE });
  const { aroundIndex = (read) => read } = seams;
  return {
    clock: seams.clock ?? Date.now,
    log: seams.log ?? createLogger(undefined, { metricsNamespace }),
    erasureLog: createErasureLog(client, erasureLogTableName),
    records: createPurgeRecords(client, tableName),
    settings: createPurgeSettings(client, tableName),
    sweep: createPurgeSweep(client, environment, aroundIndex(createIndexReader(client, tableName))),
  };
}

export const purgeScope = z.object({ projectId: z.string(), surveyId: z.exactOptional(z.string()) });

/** A step awaiting its dependencies: the state's input in, its output out. */
export type PurgeStepHandler = (input: unknown) => Promise<object>;
export type CreatePurgeStep = (deps: PurgeDependencies) => PurgeStepHandler;

/** A step as a function of its own. */
export function stepOnLambda(create: CreatePurgeStep): PurgeStepHandler {
  return underLambda((environment) => {
    const erasureLogTableName = readErasureLogTableName(process.env);
    return create(createPurgeDependencies({ ...environment, erasureLogTableName }));
  });
}
