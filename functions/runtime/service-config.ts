import type { TimeLimits } from '../../shared/data/table/deadline.ts';
import { SETTINGS_LIFETIME_MS } from '../../shared/domain/project.ts';
import {
  ENVIRONMENT,
  ERASURE_ENVIRONMENT,
  EVENT_ENVIRONMENT,
  SCORE_WAKER_ENVIRONMENT,
} from '../../shared/settings/environment.ts';
import { readWatching, type Watching } from '../../shared/settings/metrics.ts';

export interface EdgeTrust {
  /** Contains two secrets during a rotation. */
  readonly originSecrets: readonly string[];
  /** If true, requests that bypass the edge are served too. */
  readonly isOpen: boolean;
}

interface EventConfig {
  /** Absent outside of AWS. */
  readonly queueUrl?: string | undefined;
  /** Events are sent to this bus if the queue fails. */
  readonly busName?: string | undefined;
  readonly includeText: boolean;
}

export interface ServiceConfig extends TimeLimits {
  readonly tableName: string;
  readonly stage: string;
  readonly keyAbbreviation: string;
  readonly shards: number;
  /** Zero disables the limit. */
  readonly defaultAddressRate: number;
  /** In milliseconds, at most 30 s. */
  readonly settingsLifetimeMs: number;
  readonly sharedRateLimits?: boolean | undefined;
  readonly edge?: EdgeTrust | undefined;
  readonly publicUrl?: string | undefined;
  readonly metricsNamespace?: string | undefined;
  readonly watching?: Watching | undefined;
  readonly hashSecretId: string;
  readonly tokenRingId: string;
  readonly erasureLogTableName?: string | undefined;
  readonly purgeStateMachineArn?: string | undefined;
  readonly scoreAdapterArn?: string | undefined;
  readonly events?: EventConfig | undefined;
  /** Set only outside of AWS. */
  readonly dynamodbEndpoint?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function requiredSetting(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Error(`the environment variable ${name} is not set`);
  return value;
}

export function required(environment: Environment, name: string): string {
  return requiredSetting(environment[name], name);
}

/** @throws Error for an empty secret, which would match requests without one */
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

export function underLambda<Config, Event, Result, Rest extends unknown[]>(
  read: (environment: Environment) => Config,
  create: (config: Config) => (event: Event, ...rest: Rest) => Promise<Result>,
): (event: Event, ...rest: Rest) => Promise<Result> {
  if (process.env.AWS_LAMBDA_FUNCTION_NAME === undefined) {
    return async () => {
      throw new Error('this entry point runs under AWS Lambda only');
    };
  }
  return create(read(process.env));
}
