/**
 * How a service is configured: for a function by its environment, which infrastructure sets. `settings` are those of a
 * project, which an operator changes at any time.
 */

import type { TimeLimits } from '../../shared/data/table/deadline.ts';
import { SETTINGS_LIFETIME_MS } from '../../shared/domain/project.ts';
import {
  ENVIRONMENT,
  ERASURE_ENVIRONMENT,
  EVENT_ENVIRONMENT,
  SCORE_WAKER_ENVIRONMENT,
} from '../../shared/settings/environment.ts';
import { readWatching, type Watching } from '../../shared/settings/metrics.ts';

/** How a function behind an edge knows CloudFront. */
export interface EdgeTrust {
  /** Each proves it: while the secret is rotated there are two. */
  readonly originSecrets: readonly string[];
  /** Whether requests that went around the edge are served as well. */
  readonly isOpen: boolean;
}

export interface EventConfig {
  /** Of the queue in which events wait for the bus; absent away from AWS. */
  readonly queueUrl?: string | undefined;
  /** The bus that takes what the queue does not; only of the stream's consumer. */
  readonly busName?: string | undefined;
  /** Whether events carry text, traits and contact. */
  readonly includeText: boolean;
}

export interface ServiceConfig extends TimeLimits {
  readonly tableName: string;
  readonly stage: string;
  readonly keyAbbreviation: string;
  /** Shards of each index per project. */
  readonly shards: number;
  /** Requests per second of one source address, where a project sets none; zero is off. */
  readonly defaultAddressRate: number;
  /** The longest time project settings stay in memory, milliseconds; at most 30 s. */
  readonly settingsLifetimeMs: number;
  /** Whether rate limits are counted across function instances; a single process needs no leases. */
  readonly sharedRateLimits?: boolean | undefined;
  /** Absent where there is no edge. */
  readonly edge?: EdgeTrust | undefined;
  /** The edge's address, without a slash at its end; absent where there is no edge. */
  readonly publicUrl?: string | undefined;
  /** The CloudWatch namespace of metrics; none away from AWS. */
  readonly metricsNamespace?: string | undefined;
  /** Who reads them. */
  readonly watching?: Watching | undefined;
  readonly hashSecretId: string;
  readonly tokenRingId: string;
  /** Only of functions that erase. */
  readonly erasureLogTableName?: string | undefined;
  readonly purgeStateMachineArn?: string | undefined;
  /** Only of the stream's consumer, where the deployment pushes scores. */
  readonly scoreAdapterArn?: string | undefined;
  /** Only of functions that make events, where the stage has them on. */
  readonly events?: EventConfig | undefined;
  /** Only away from AWS. */
  readonly dynamodbEndpoint?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws Error naming the environment variable that should have set it */
export function requiredSetting(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Error(`the environment variable ${name} is not set`);
  return value;
}

/** @throws Error naming the variable when it is missing */
export function required(environment: Environment, name: string): string {
  return requiredSetting(environment[name], name);
}

/** @throws Error where a secret is empty, which any request without one would match */
function readEdge(environment: Environment): EdgeTrust | undefined {
  const { [ENVIRONMENT.originSecret]: current, [ENVIRONMENT.previousOriginSecret]: previous } = environment;
  if (current === undefined) return undefined;
  const originSecrets = previous === undefined ? [current] : [current, previous];
  if (originSecrets.includes('')) throw new Error('an origin secret is empty');
  return { originSecrets, isOpen: environment[ENVIRONMENT.originOpen] === 'true' };
}

function readEvents(environment: Environment): EventConfig | undefined {
  const { [EVENT_ENVIRONMENT.queueUrl]: queueUrl, [EVENT_ENVIRONMENT.busName]: busName } = environment;
  if (queueUrl === undefined) return undefined;
  return { queueUrl, busName, includeText: environment[EVENT_ENVIRONMENT.includeText] === 'true' };
}

/** @throws Error naming the variable that is missing */
export function readServiceConfig(environment: Environment): ServiceConfig {
  return {
    tableName: required(environment, ENVIRONMENT.tableName),
    stage: required(environment, ENVIRONMENT.stage),
    keyAbbreviation: required(environment, ENVIRONMENT.keyAbbreviation),
    shards: Number(required(environment, ENVIRONMENT.shards)),
    defaultAddressRate: Number(required(environment, ENVIRONMENT.defaultAddressRate)),
    settingsLifetimeMs: SETTINGS_LIFETIME_MS,
    sharedRateLimits: true,
    edge: readEdge(environment),
    publicUrl: environment[ENVIRONMENT.publicUrl],
    metricsNamespace: required(environment, ENVIRONMENT.metricsNamespace),
    watching: readWatching(environment[ENVIRONMENT.watching]),
    hashSecretId: required(environment, ENVIRONMENT.hashSecretId),
    tokenRingId: required(environment, ENVIRONMENT.tokenRingId),
    erasureLogTableName: environment[ERASURE_ENVIRONMENT.erasureLogTableName],
    purgeStateMachineArn: environment[ERASURE_ENVIRONMENT.purgeStateMachineArn],
    scoreAdapterArn: environment[SCORE_WAKER_ENVIRONMENT.functionArn],
    events: readEvents(environment),
  };
}
