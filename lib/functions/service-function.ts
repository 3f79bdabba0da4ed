import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Access } from '../../shared/contract/route.ts';
import { ENVIRONMENT, ERASURE_ENVIRONMENT } from '../../shared/settings/environment.ts';
import { watchingText } from '../../shared/settings/metrics.ts';
import { encryptionKey } from '../data/encryption-key.ts';
import { type DeploymentSettings, metricsNamespace } from '../settings/settings.ts';
import { codeOf } from './bundles.ts';
import { type Backends, FunctionRole } from './function-role.ts';

/** The variables that `connect` sets. */
type EnvironmentVariable = (typeof ENVIRONMENT)[Exclude<
  keyof typeof ENVIRONMENT,
  'metricsNamespace' | 'watching' | 'originSecret' | 'previousOriginSecret' | 'originOpen' | 'publicUrl'
>];

/** See AWS SDKs and Tools, "Service-specific endpoints". */
const SECRETS_ENDPOINT = 'AWS_ENDPOINT_URL_SECRETS_MANAGER';

/** More memory means more CPU, which shortens cold starts. */
const MEMORY_MB = 1_024;

interface ServiceFunctionProps {
  readonly name: string;
  /** The entry file is functions/<bundle>.ts. @default name */
  readonly bundle?: string;
  /** @default 'handler' */
  readonly handler?: string;
  readonly timeoutSeconds: number;
  readonly backends: Backends;
  /** @default a role of its own */
  readonly may?: FunctionRole | undefined;
}

/** The name of a function in the settings and in `Canvass.functions`. */
export const knownAs = (name: string): string => name.replace('/', '-');

export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly may: FunctionRole;
  readonly #backends: Backends;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { name, bundle = name, handler = 'handler', timeoutSeconds, backends, may } = props;
    const { settings } = backends;
    const reserved = settings.concurrency[knownAs(name)];
    this.#backends = backends;
    const logGroup = new ServiceLog(this, 'Log', {
      name: `/${settings.name}/${settings.stage}/${name}`,
      settings,
      kmsKeyArn: settings.kmsKeyArn,
    });
    this.may = may ?? new FunctionRole(this, 'Access', backends);
    const { role } = this.may;
    this.may.allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]);
    this.function = new LambdaFunction(this, 'Function', {
      description: `${settings.name} ${settings.stage}: ${name}`,
      code: codeOf(this, bundle),
      handler: `index.${handler}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MB,
      timeout: Duration.seconds(timeoutSeconds),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: settings.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: {
        [ENVIRONMENT.metricsNamespace]: metricsNamespace(settings),
        [ENVIRONMENT.watching]: watchingText(settings),
      },
    });
  }

  setEnvironment(variables: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(variables)) this.function.addEnvironment(name, value);
  }

  /** Functions read secrets without the SDK, so they need the endpoint. */
  readSecrets(arns: readonly string[]): void {
    this.may.allowSecrets(arns);
    this.setEnvironment({
      [SECRETS_ENDPOINT]: `https://secretsmanager.${Aws.REGION}.${Aws.URL_SUFFIX}`,
    });
  }

  connect(access: Access): void {
    this.may.allowAccess(access);
    if (Object.keys(access).length === 0) return;
    const { table, secrets, settings, erasure } = this.#backends;
    if (access.secrets !== undefined) this.readSecrets(access.secrets.map((name) => secrets.arns[name]));
    const environment: Readonly<Record<EnvironmentVariable, string>> = {
      [ENVIRONMENT.tableName]: table.name,
      [ENVIRONMENT.stage]: settings.stage,
      [ENVIRONMENT.keyAbbreviation]: settings.keyAbbreviation,
      [ENVIRONMENT.shards]: String(settings.indexShards),
      [ENVIRONMENT.defaultAddressRate]: String(settings.defaultAddressRate),
      [ENVIRONMENT.hashSecretId]: secrets.arns.hashSecret,
      [ENVIRONMENT.tokenRingId]: secrets.arns.tokenRing,
    };
    this.setEnvironment(environment);
    if (access.queuesEvents === true) this.#backends.events?.connect(this);
    if (access.erasureLog === undefined || erasure === undefined) return;
    this.setEnvironment({ [ERASURE_ENVIRONMENT.erasureLogTableName]: erasure.log.name });
    if (access.startsPurge !== true || erasure.purge === undefined) return;
    this.setEnvironment({ [ERASURE_ENVIRONMENT.purgeStateMachineArn]: erasure.purge.stateMachineArn });
  }
}

interface ServiceLogProps {
  readonly name: string;
  readonly settings: DeploymentSettings;
  readonly kmsKeyArn: string | undefined;
}

export class ServiceLog extends LogGroup {
  constructor(scope: Construct, id: string, { name, settings, kmsKeyArn }: ServiceLogProps) {
    const key = encryptionKey(scope, kmsKeyArn);
    super(scope, id, {
      logGroupName: name,
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
      ...(key !== undefined && { encryptionKey: key }),
    });
  }
}
