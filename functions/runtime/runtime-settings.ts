/** A function's settings, as infrastructure puts them into its environment. */

import type { TimeLimits } from '../../shared/data/table/deadline.ts';
import { SETTINGS_LIFETIME_MS } from '../../shared/domain/project.ts';
import { ENVIRONMENT, ERASURE_ENVIRONMENT } from '../../shared/settings/environment.ts';
import type { EdgeTrust } from './viewer.ts';

export interface RuntimeSettings extends TimeLimits {
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
  readonly sharedRateLimits?: boolean;
  /** Absent where there is no edge. */
  readonly edge?: EdgeTrust;
  /** The CloudWatch namespace of metrics; none away from AWS. */
  readonly metricsNamespace?: string;
  readonly hashSecretId: string;
  readonly tokenRingId: string;
  /** Only away from AWS. */
  readonly dynamodbEndpoint?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** @throws Error naming the variable when it is missing */
export function required(environment: Environment, name: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new Error(`the environment variable ${name} is not set`);
  return value;
}

/** @throws Error where a secret is empty, which any request without one would match */
function readEdge(environment: Environment): EdgeTrust | undefined {
  const { [ENVIRONMENT.originSecret]: current, [ENVIRONMENT.previousOriginSecret]: previous } = environment;
  if (current === undefined) return undefined;
  const originSecrets = previous === undefined ? [current] : [current, previous];
  if (originSecrets.includes('')) throw new Error('an origin secret is empty');
  return {
    originSecrets,
    isOpen: environment[ENVIRONMENT.originOpen] === 'true',
  };
}

/** @throws Error naming the variable that is missing */
export function readRuntimeSettings(environment: Environment): RuntimeSettings {
  const edge = readEdge(environment);
  return {
    tableName: required(environment, ENVIRONMENT.tableName),
    stage: required(environment, ENVIRONMENT.stage),
    keyAbbreviation: required(environment, ENVIRONMENT.keyAbbreviation),
    shards: Number(required(environment, ENVIRONMENT.shards)),
    defaultAddressRate: Number(required(environment, ENVIRONMENT.defaultAddressRate)),
    settingsLifetimeMs: SETTINGS_LIFETIME_MS,
    sharedRateLimits: true,
    ...(edge !== undefined && { edge }),
    metricsNamespace: required(environment, ENVIRONMENT.metricsNamespace),
    hashSecretId: required(environment, ENVIRONMENT.hashSecretId),
    tokenRingId: required(environment, ENVIRONMENT.tokenRingId),
  };
}

/** What only erasing needs. */
export interface ErasureSettings {
  readonly erasureLogTableName: string;
  readonly stateMachineArn: string;
}

/** @throws Error naming the variable when it is missing */
export const readErasureLogTableName = (environment: Environment): string =>
  required(environment, ERASURE_ENVIRONMENT.erasureLogTableName);

/** @throws Error naming the variable that is missing */
export function readErasureSettings(environment: Environment): ErasureSettings {
  return {
    erasureLogTableName: readErasureLogTableName(environment),
    stateMachineArn: required(environment, ERASURE_ENVIRONMENT.purgeStateMachineArn),
  };
}
