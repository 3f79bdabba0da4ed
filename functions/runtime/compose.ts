/**
 * The composition root. Parts are created on first use. They are functions, so that a bundle contains only those its
 * handler names (decision 60).
 */

import { randomBytes, randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { addressHash } from '../../shared/crypto/derive.ts';
import { createSecretCache, type SecretSource } from '../../shared/crypto/secret-cache.ts';
import { createShowTokens } from '../../shared/crypto/show-tokens.ts';
import { createAnswerStore } from '../../shared/data/answers/answer-store.ts';
import { createAnswerWalks } from '../../shared/data/answers/answer-walk.ts';
import { createFoldRequests, createHistoryFolds } from '../../shared/data/answers/history-folds.ts';
import { createImportStore } from '../../shared/data/answers/import-store.ts';
import { createOccasions } from '../../shared/data/answers/occasions.ts';
import { createRevisionStore } from '../../shared/data/answers/revision-store.ts';
import { createPurgeStarter, type PurgeStarter } from '../../shared/data/aws/purge-starter.ts';
import { createScoreWaker, type ScoreWaker } from '../../shared/data/aws/score-waker.ts';
import { createSecretsManagerSource } from '../../shared/data/aws/secrets-manager.ts';
import {
  createContactCounter,
  createContactWalk,
  createOpenContacts,
} from '../../shared/data/contacts/contact-index.ts';
import { createContactStore } from '../../shared/data/contacts/contact-store.ts';
import { createContactSweep } from '../../shared/data/contacts/contact-sweep.ts';
import {
  createEventBus,
  createEventOutlet,
  createEventQueue,
  type EventOutlet,
} from '../../shared/data/events/event-outlet.ts';
import { createErasureLog } from '../../shared/data/privacy/erasure-log.ts';
import { createErasureStore } from '../../shared/data/privacy/erasure-store.ts';
import { createExpiryProgress } from '../../shared/data/privacy/expiry-progress.ts';
import { createExpirySweep } from '../../shared/data/privacy/expiry-sweep.ts';
import { createPurgeSweep } from '../../shared/data/privacy/purge-sweep.ts';
import { createPurgedDefinitions } from '../../shared/data/privacy/purged-definitions.ts';
import { createPurgeRecords, createPurges } from '../../shared/data/privacy/purges.ts';
import { createDraftStore } from '../../shared/data/projects/draft-store.ts';
import { createKeyUse, createKeyUseStore } from '../../shared/data/projects/key-use-store.ts';
import { createSettingsLoader } from '../../shared/data/projects/project-record.ts';
import { createIdentitySecretStore, createProjectStore } from '../../shared/data/projects/project-store.ts';
import { createRateLeases } from '../../shared/data/projects/rate-leases.ts';
import { createSurveyStore } from '../../shared/data/projects/survey-store.ts';
import { createCommentWalk } from '../../shared/data/results/comment-walk.ts';
import { createCountStore } from '../../shared/data/results/count-store.ts';
import { createRecounts } from '../../shared/data/results/recounts.ts';
import { createResultStore } from '../../shared/data/results/result-store.ts';
import { createSurveyCountings } from '../../shared/data/results/survey-counting.ts';
import { createScoreStore } from '../../shared/data/scores/score-store.ts';
import { createWithdrawals } from '../../shared/data/scores/withdrawals.ts';
import { createShowStore } from '../../shared/data/shows/show-store.ts';
import { type ClientSettings, createDynamodbClient } from '../../shared/data/table/client.ts';
import { createIndexReader, type ReadIndex } from '../../shared/data/table/index-reader.ts';
import { type Pause, realPause } from '../../shared/data/table/retry.ts';
import { addressLeaseKey, ERASURE_LOG, keyLeaseKey } from '../../shared/data/table/schema.ts';
import { createTable } from '../../shared/data/table/table.ts';
import { BoundedMap } from '../../shared/domain/memory.ts';
import { ERASURE_ENVIRONMENT, EVENT_ENVIRONMENT } from '../../shared/settings/environment.ts';
import { createJwksCache } from '../identity/jwks-cache.ts';
import { createLogger, type Logger } from './logger.ts';
import { createInProcessLimiter, createSharedLimiter, type RateLimiter } from './rate-limiter.ts';
import { requiredSetting, type ServiceConfig } from './service-config.ts';
import { createSettingsCache } from './settings-cache.ts';

export interface Overrides {
  readonly clock?: (() => number) | undefined;
  readonly log?: Logger | undefined;
  readonly client?: DynamoDBClient | undefined;
  readonly clientSettings?: Omit<ClientSettings, 'endpoint'> | undefined;
  readonly secrets?: SecretSource | undefined;
  readonly purgeStarter?: PurgeStarter | undefined;
  readonly scoreWaker?: ScoreWaker | undefined;
  /** Used if the configuration enables events. */
  readonly eventOutlet?: EventOutlet | undefined;
  readonly pause?: Pause | undefined;
  readonly aroundIndex?: ((read: ReadIndex) => ReadIndex) | undefined;
}

export interface Service {
  readonly config: ServiceConfig;
  readonly overrides: Overrides;
}

export function compose(config: ServiceConfig, overrides: Overrides = {}): Service {
  return { config, overrides };
}

export interface Part<T> {
  (service: Service): T;
  /** Parts created from the old value keep it, so call this before the first use. */
  replace(service: Service, value: T): void;
}

/* @__NO_SIDE_EFFECTS__ */
function part<T>(make: (service: Service) => T): Part<T> {
  const made = new WeakMap<Service, { readonly value: T }>();
  function get(service: Service): T {
    let known = made.get(service);
    if (known === undefined) {
      known = { value: make(service) };
      made.set(service, known);
    }
    return known.value;
  }
  return Object.assign(get, {
    replace: (service: Service, value: T) => void made.set(service, { value }),
  });
}

const MOST_TOKENS_REMEMBERED = 4_096;

export const clock = ({ overrides }: Service): (() => number) => overrides.clock ?? Date.now;

export const log = part(({ config, overrides }) => overrides.log ?? createLogger(undefined, config));

const client = part(
  ({ config, overrides }) =>
    overrides.client ??
    createDynamodbClient({ endpoint: config.dynamodbEndpoint, ...overrides.clientSettings }),
);

export const table = part((service) => createTable(client(service), { name: service.config.tableName }));

const readIndex = part((service): ReadIndex => {
  const { aroundIndex = (read) => read } = service.overrides;
  return aroundIndex(createIndexReader(client(service), service.config.tableName));
});

export const secrets = part((service) => {
  const source = service.overrides.secrets ?? createSecretsManagerSource(service.config);
  return createSecretCache(source, clock(service));
});

const parts = (service: Service) => ({
  table: table(service),
  secrets: secrets(service),
  shards: service.config.shards,
});

export const tokens = part((service) =>
  createShowTokens({ secrets: secrets(service), stage: service.config.stage, random: randomBytes }),
);

export const projectSettings = part((service) =>
  createSettingsCache({
    load: createSettingsLoader(table(service)),
    clock: clock(service),
    jitter: Math.random,
    lifetimeMs: service.config.settingsLifetimeMs,
  }),
);

export const projects = part((service) => createProjectStore(table(service), readIndex(service)));

export const drafts = part((service) => createDraftStore(table(service)));

export const surveys = part((service) => createSurveyStore(table(service)));

export const keyUseStore = part((service) =>
  createKeyUseStore(table(service), service.config.keyUseDeadlineMs),
);

export const keyUse = part((service) => createKeyUse(keyUseStore(service), log(service)));

/** Shared by all instances, or in memory for a single process. */
export const limiter = part((service): RateLimiter => {
  const { config } = service;
  if (config.sharedRateLimits !== true) return createInProcessLimiter();
  return createSharedLimiter({
    leases: createRateLeases(table(service)),
    deadlineMs: config.leaseDeadlineMs,
    random: Math.random,
    onFailure: (error) => log(service).error({ message: 'rate limiter unavailable, requests pass', error }),
    async keyOf({ kind, projectId, name, of }) {
      if (kind === 'key') return keyLeaseKey(projectId, name, of);
      const hash = addressHash(await secrets(service).hashSecret(), projectId, name);
      return addressLeaseKey(projectId, hash, of);
    },
  });
});

/** Counts unknown keys in memory, so that refusing them makes no call. */
export const wrongKeyLimiter = part(() => createInProcessLimiter());

/** How often this instance admitted a token beyond its rate. */
export const beyondRate = part(() => new BoundedMap<string, number>(MOST_TOKENS_REMEMBERED));

export const jwks = part((service) => createJwksCache({ fetch, clock: clock(service) }));

export const identitySecrets = part((service) => createIdentitySecretStore(table(service)));

export const answers = part((service) =>
  createAnswerStore({
    ...parts(service),
    writeId: randomUUID,
    lookUpDeadlineMs: service.config.lookUpDeadlineMs,
  }),
);

export const revisions = part((service) =>
  createRevisionStore({ ...parts(service), lookUpDeadlineMs: service.config.lookUpDeadlineMs }),
);

export const shows = part((service) => createShowStore(parts(service)));

export const occasions = part((service) => createOccasions(parts(service)));

export const walks = part((service) =>
  createAnswerWalks({ ...parts(service), readIndex: readIndex(service) }),
);

export const imports = part((service) => createImportStore(parts(service)));

export const counts = part((service) => createCountStore({ table: table(service), clock: clock(service) }));

export const surveyCountings = part((service) => {
  const { load, forget } = projectSettings(service);
  return createSurveyCountings({ load, forget, read: createSettingsLoader(table(service)) });
});

export const results = part((service) => createResultStore(table(service)));

export const recounts = part((service) =>
  createRecounts({
    table: table(service),
    clock: clock(service),
    readIndex: readIndex(service),
    shards: service.config.shards,
  }),
);

export const comments = part((service) =>
  createCommentWalk({
    table: table(service),
    readIndex: readIndex(service),
    shards: service.config.shards,
  }),
);

export const contacts = part((service) => createContactStore(parts(service)));

const indexParts = (service: Service) => ({
  table: table(service),
  readIndex: readIndex(service),
  shards: service.config.shards,
});

export const openContacts = part((service) =>
  createOpenContacts({ readIndex: readIndex(service), shards: service.config.shards }),
);

export const contactWalk = part((service) => createContactWalk(indexParts(service)));

export const contactCounter = part((service) =>
  createContactCounter({ readIndex: readIndex(service), shards: service.config.shards }),
);

export const contactSweep = part((service) => createContactSweep(indexParts(service)));

export const folds = part((service) => createHistoryFolds(table(service), service.config.shards));

export const foldRequests = part((service) =>
  createFoldRequests({
    table: table(service),
    secrets: secrets(service),
    deadlineMs: service.config.foldRequestDeadlineMs,
  }),
);

export const scores = part((service) =>
  createScoreStore({
    ...parts(service),
    readIndex: readIndex(service),
    ackId: randomUUID,
    clock: clock(service),
  }),
);

export const scoreWaker = part(({ config, overrides }): ScoreWaker => {
  if (overrides.scoreWaker !== undefined) return overrides.scoreWaker;
  const { scoreAdapterArn } = config;
  return scoreAdapterArn === undefined ? { wake: async () => undefined } : createScoreWaker(scoreAdapterArn);
});

/** Undefined if the stage has no events. */
export const eventOutlet = part(({ config: { events }, overrides }): EventOutlet | undefined => {
  if (events === undefined || overrides.eventOutlet !== undefined) return events && overrides.eventOutlet;
  const queue = createEventQueue(requiredSetting(events.queueUrl, EVENT_ENVIRONMENT.queueUrl));
  return events.busName === undefined
    ? createEventOutlet(queue)
    : createEventOutlet(queue, createEventBus(events.busName));
});

export const eventOptions = ({ config: { events, metricsNamespace, stage } }: Service) => ({
  deployment: metricsNamespace ?? `canvass-${stage}`,
  includeText: events?.includeText === true,
});

export const erasureLog = part((service) => {
  const name = requiredSetting(service.config.erasureLogTableName, ERASURE_ENVIRONMENT.erasureLogTableName);
  return createErasureLog(createTable(client(service), { name, keys: ERASURE_LOG }));
});

export const withdrawals = part((service) =>
  createWithdrawals({
    table: table(service),
    shards: service.config.shards,
    clock: clock(service),
  }),
);

export const erasures = part((service) =>
  createErasureStore({
    table: table(service),
    shards: service.config.shards,
    log: erasureLog(service),
    withdrawals: withdrawals(service),
  }),
);

export const purgeRecords = part((service) => createPurgeRecords(table(service)));

export const purgedDefinitions = part((service) => createPurgedDefinitions(table(service)));

export const purgeSweep = part((service) =>
  createPurgeSweep({
    table: table(service),
    readIndex: readIndex(service),
    shards: service.config.shards,
    withdrawals: withdrawals(service),
  }),
);

export const expiryProgress = part((service) => createExpiryProgress(table(service)));

export const expirySweep = part((service) =>
  createExpirySweep({
    ...indexParts(service),
    progress: expiryProgress(service),
    folds: folds(service),
    withdrawals: withdrawals(service),
    clock: clock(service),
    pause: service.overrides.pause ?? realPause,
  }),
);

export const purges = part((service) => {
  const { config, overrides } = service;
  const starter =
    overrides.purgeStarter ??
    createPurgeStarter(
      requiredSetting(config.purgeStateMachineArn, ERASURE_ENVIRONMENT.purgeStateMachineArn),
    );
  return createPurges({
    starter,
    log: erasureLog(service),
    records: purgeRecords(service),
    definitions: purgedDefinitions(service),
    sweep: purgeSweep(service),
  });
});
