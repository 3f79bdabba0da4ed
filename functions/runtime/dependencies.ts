/** The composition root: what handlers are given, made from the function's environment. */

import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createVault } from '../../shared/crypto/secret-cache.ts';
import type { SecretSource } from '../../shared/crypto/secret-source.ts';
import { createAnswerStore } from '../../shared/data/answers/answer-store.ts';
import { createHistoryFolds } from '../../shared/data/answers/history-folds.ts';
import { createTotalsStore, type TotalsStore } from '../../shared/data/answers/totals.ts';
import { createKeyUseStore } from '../../shared/data/projects/key-use-store.ts';
import { createRateLeases } from '../../shared/data/projects/rate-leases.ts';
import { createSettingsLoader } from '../../shared/data/projects/settings-loader.ts';
import { createScoreStore } from '../../shared/data/scores/score-store.ts';
import { createDocumentClient } from '../../shared/data/table/client.ts';
import { createIndexReader, type ReadIndex } from '../../shared/data/table/index-reader.ts';
import { createLimiter } from './create-limiter.ts';
import { createKeyUse, type KeyUse } from './key-use.ts';
import { createLogger, type Logger } from './logger.ts';
import type { PipelineParts } from './pipeline.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createRespondents, type Respondents } from './respondents.ts';
import type { RuntimeSettings } from './runtime-settings.ts';
import { createScores, type Scores } from './scores.ts';
import { createSettingsCache, type SettingsCache } from './settings-cache.ts';
import { createShowTokens, type ShowTokens } from './show-tokens.ts';
import type { EdgeTrust } from './viewer.ts';

export interface Dependencies extends PipelineParts {
  readonly keyAbbreviation: string;
  readonly defaultAddressRate: number;
  /** Absent where there is no edge. */
  readonly edge?: EdgeTrust;
  readonly clock: () => number;
  /** A fresh id per invocation, by which a retried write is recognised as our own. */
  readonly writeId: () => string;
  readonly limiter: RateLimiter;
  readonly keyUse: KeyUse;
  readonly settings: SettingsCache;
  readonly respondents: Respondents;
  readonly scores: Scores;
  readonly tokens: ShowTokens;
}

/** What a local run or a test brings itself. */
export interface Seams {
  readonly clock?: () => number;
  readonly client?: DynamoDBDocumentClient;
  readonly log?: Logger;
  /** Stands in front of index reads. */
  readonly aroundIndex?: (read: ReadIndex) => ReadIndex;
}

export function createDependencies(
  environment: RuntimeSettings,
  secrets: SecretSource,
  seams: Seams = {},
): Dependencies {
  const clock = seams.clock ?? Date.now;
  const client = seams.client ?? createDocumentClient({ endpoint: environment.dynamodbEndpoint });
  const log = seams.log ?? createLogger(undefined, { metricsNamespace: environment.metricsNamespace });
  const vault = createVault(secrets, clock);
  const { aroundIndex = (read) => read } = seams;
  const readIndex = aroundIndex(createIndexReader(client, environment.tableName));
  return {
    keyAbbreviation: environment.keyAbbreviation,
    requestDeadlineMs: environment.requestDeadlineMs,
    defaultAddressRate: environment.defaultAddressRate,
    ...(environment.edge !== undefined && { edge: environment.edge }),
    clock,
    writeId: randomUUID,
    log,
    limiter: createLimiter(environment, { leases: createRateLeases(client, environment), vault, log }),
    keyUse: createKeyUse(createKeyUseStore(client, environment.tableName, environment), log),
    settings: createSettingsCache({
      load: createSettingsLoader(client, environment),
      clock,
      jitter: Math.random,
      lifetimeMs: environment.settingsLifetimeMs,
    }),
    respondents: createRespondents(createAnswerStore(client, environment), vault),
    scores: createScores(createScoreStore(client, environment, readIndex), vault),
    tokens: createShowTokens({ vault, stage: environment.stage, random: randomBytes }),
  };
}

/** What counting the stream needs; no secrets are read for it. */
export function createTotals(
  environment: RuntimeSettings,
  { client, clock = Date.now }: Pick<Seams, 'client' | 'clock'> = {},
): TotalsStore {
  return createTotalsStore(client ?? createDocumentClient({ endpoint: environment.dynamodbEndpoint }), {
    tableName: environment.tableName,
    pause,
    jitter: Math.random,
    clock,
  });
}

/** What folding histories needs; no secrets are read for it. */
export function createFolding(
  environment: RuntimeSettings,
  seams: Pick<Seams, 'client' | 'clock' | 'log'> = {},
) {
  const client = seams.client ?? createDocumentClient({ endpoint: environment.dynamodbEndpoint });
  return {
    folds: createHistoryFolds(client, environment),
    clock: seams.clock ?? Date.now,
    log: seams.log ?? createLogger(),
  };
}
