/** A part is created when it is first used. A bundle contains only the parts that its handler names (decision 60). */

import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSecretCache, type SecretSource } from '../../shared/crypto/secret-cache.ts';
import { createShowTokens } from '../../shared/crypto/show-tokens.ts';
import type { PurgeStarter } from '../../shared/data/aws/purge-starter.ts';
import type { ScoreWaker } from '../../shared/data/aws/score-waker.ts';
import { createSecretsManagerSource } from '../../shared/data/aws/secrets-manager.ts';
import type { EventOutlet } from '../../shared/data/events/event-outlet.ts';
import { type ClientSettings, createDynamodbClient } from '../../shared/data/table/client.ts';
import { createIndexReader, type ReadIndex } from '../../shared/data/table/index-reader.ts';
import type { Pause } from '../../shared/data/table/retry.ts';
import { createTable } from '../../shared/data/table/table.ts';
import { createLogger, type Logger } from './logger.ts';
import { readServiceConfig, type ServiceConfig, underLambda } from './service-config.ts';

export interface Overrides {
  readonly clock?: (() => number) | undefined;
  readonly log?: Logger | undefined;
  readonly client?: DynamoDBClient | undefined;
  readonly clientSettings?: Omit<ClientSettings, 'endpoint'> | undefined;
  readonly secrets?: SecretSource | undefined;
  readonly purgeStarter?: PurgeStarter | undefined;
  readonly scoreWaker?: ScoreWaker | undefined;
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

export function serviceOnLambda<Event, Result, Rest extends unknown[]>(
  create: (service: Service) => (event: Event, ...rest: Rest) => Promise<Result>,
): (event: Event, ...rest: Rest) => Promise<Result> {
  return underLambda(readServiceConfig, (config) => create(compose(config)));
}

export interface Part<T> {
  (service: Service): T;
  /** Call this before the first use. Parts that were created from the old value keep it. */
  replace(service: Service, value: T): void;
}

/** Mark each call as pure: esbuild keeps unmarked calls of an imported function. */
export function part<T>(make: (service: Service) => T): Part<T> {
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

export const clock = ({ overrides }: Service): (() => number) => overrides.clock ?? Date.now;

export const log = /* @__PURE__ */ part(
  ({ config, overrides }) => overrides.log ?? createLogger(undefined, config),
);

export const client = /* @__PURE__ */ part(
  ({ config, overrides }) =>
    overrides.client ??
    createDynamodbClient({ endpoint: config.dynamodbEndpoint, ...overrides.clientSettings }),
);

export const table = /* @__PURE__ */ part((service) =>
  createTable(client(service), { name: service.config.tableName }),
);

export const readIndex = /* @__PURE__ */ part((service): ReadIndex => {
  const { aroundIndex = (read) => read } = service.overrides;
  return aroundIndex(createIndexReader(client(service), service.config.tableName));
});

export const secrets = /* @__PURE__ */ part((service) => {
  const source = service.overrides.secrets ?? createSecretsManagerSource(service.config);
  return createSecretCache(source, clock(service));
});

export const storeDependencies = (service: Service) => ({
  table: table(service),
  secrets: secrets(service),
  shards: service.config.shards,
});

export const tokens = /* @__PURE__ */ part((service) =>
  createShowTokens({ secrets: secrets(service), stage: service.config.stage, random: randomBytes }),
);

export const indexDependencies = (service: Service) => ({
  table: table(service),
  readIndex: readIndex(service),
  shards: service.config.shards,
});
