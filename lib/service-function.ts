import { join } from 'node:path';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { type BundlingOptions, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Access, SecretName, TableAction } from '../shared/contract/route.ts';
import { rateLeasePartition } from '../shared/data/table/schema.ts';
import { ENVIRONMENT, ERASURE_ENVIRONMENT } from '../shared/settings/environment.ts';
import type { ErasureLogTable } from './erasure-log.ts';
import type { ServiceSecrets } from './secrets.ts';
import { type DeploymentSettings, metricsNamespace } from './settings.ts';
import type { ServiceTable } from './table.ts';

/** What `connect` sets; the rest is every function's. */
type EnvironmentVariable = (typeof ENVIRONMENT)[Exclude<
  keyof typeof ENVIRONMENT,
  'metricsNamespace' | 'originSecret' | 'previousOriginSecret' | 'originOpen'
>];

const ROOT = join(import.meta.dirname, '..');

/** A cold start is spent computing, and a function's share of a processor grows with its memory. */
const MEMORY_MB = 1_024;

/** What bundles hold in place of a package: a file of ours, from the repository's root. */
export const REPLACED: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': './shared/data/aws/function-credentials.ts',
};

/** CommonJS, and the packages' ES modules in it: measured, see docs/decisions/0003-infrastructure.md. */
export const BUNDLING = {
  format: OutputFormat.CJS,
  mainFields: ['module', 'main'],
  bundleAwsSDK: true,
  minify: true,
  sourceMap: true,
  sourcesContent: false,
  esbuildArgs: Object.fromEntries(
    Object.entries(REPLACED).map(([name, path]) => [`--alias:${name}`, join(ROOT, path)]),
  ),
} satisfies BundlingOptions;

/** The rate partitions of every project, as a pattern. */
const RATE_PARTITIONS = rateLeasePartition('*', '*');

interface ServiceFunctionProps {
  /** Also the name of the entry file: functions/<name>.ts. */
  readonly name: string;
  readonly timeoutSeconds: number;
  readonly settings: DeploymentSettings;
}

/** What functions are connected to. */
export interface Backends {
  readonly table: ServiceTable;
  readonly secrets: ServiceSecrets;
  readonly settings: DeploymentSettings;
  /** What only erasing is connected to, and the purge's own steps, which start none. */
  readonly erasure?: {
    readonly log: ErasureLogTable;
    readonly purge?: { readonly stateMachineArn: string };
  };
}

/** One bundle, one function, one log group, and a role that may write that log until `connect` allows more. */
export class ServiceFunction extends Construct {
  readonly function: NodejsFunction;
  readonly #role: Role;

  constructor(scope: Construct, id: string, { name, timeoutSeconds, settings }: ServiceFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/${settings.name}/${settings.stage}/${name}`,
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]);
    if (settings.tracing) {
      Validations.of(this.#role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'X-Ray knows no resource that a permission to send traces could name.',
      });
    }
    this.function = new NodejsFunction(this, 'Function', {
      description: `${settings.name} ${settings.stage}: ${name}`,
      entry: join(ROOT, 'functions', `${name}.ts`),
      projectRoot: ROOT,
      depsLockFilePath: join(ROOT, 'package-lock.json'),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: MEMORY_MB,
      timeout: Duration.seconds(timeoutSeconds),
      role: this.#role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: settings.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      environment: { [ENVIRONMENT.metricsNamespace]: metricsNamespace(settings) },
      awsSdkConnectionReuse: false,
      bundling: BUNDLING,
    });
  }

  /** Allows these actions on exactly these resources. */
  allow(actions: readonly string[], resources: readonly string[]): void {
    if (actions.length === 0 || resources.length === 0) return;
    this.#role.addToPrincipalPolicy(
      new PolicyStatement({ actions: [...actions], resources: [...resources] }),
    );
  }

  /** Allows an action on the partitions of a pattern alone. */
  allowIn(partitions: string, action: TableAction, { table }: Backends): void {
    this.#role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: [`dynamodb:${action}`],
        resources: [table.arn],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [partitions] } },
      }),
    );
  }

  /** Allows keeping count of requests: rate leases and the last use of keys, which lie in partitions of their own. */
  allowCounting(backends: Backends): void {
    this.allowIn(RATE_PARTITIONS, 'UpdateItem', backends);
  }

  /** Allows exactly what `access` names, and sets the environment that comes with it. */
  connect(access: Access, { table, secrets, settings, erasure }: Backends): void {
    const dynamodb = (actions: readonly string[] = []) => actions.map((action) => `dynamodb:${action}`);
    const secretArns = (names: readonly SecretName[] = []) => names.map((name) => secrets.arns[name]);
    this.allow(dynamodb(access.table), [table.arn]);
    this.allow(dynamodb(access.byProject), [table.indexArns.byProject]);
    this.allow(dynamodb(access.byScoreState), [table.indexArns.byScoreState]);
    this.allow(['secretsmanager:GetSecretValue'], secretArns(access.secrets));
    if (Object.keys(access).length === 0) return;
    const environment: Readonly<Record<EnvironmentVariable, string>> = {
      [ENVIRONMENT.tableName]: table.name,
      [ENVIRONMENT.stage]: settings.stage,
      [ENVIRONMENT.keyAbbreviation]: settings.keyAbbreviation,
      [ENVIRONMENT.shards]: String(settings.indexShards),
      [ENVIRONMENT.defaultAddressRate]: String(settings.defaultAddressRate),
      [ENVIRONMENT.hashSecretId]: secrets.arns.hashSecret,
      [ENVIRONMENT.tokenRingId]: secrets.arns.tokenRing,
    };
    for (const [name, value] of Object.entries(environment)) this.function.addEnvironment(name, value);
    if (access.erasureLog === undefined || erasure === undefined) return;
    const { log, purge } = erasure;
    this.allow(dynamodb(access.erasureLog), [log.arn]);
    this.function.addEnvironment(ERASURE_ENVIRONMENT.erasureLogTableName, log.name);
    if (access.startsPurge !== true || purge === undefined) return;
    this.allow(['states:StartExecution'], [purge.stateMachineArn]);
    this.function.addEnvironment(ERASURE_ENVIRONMENT.purgeStateMachineArn, purge.stateMachineArn);
  }
}
