/** The settings of a deployment: one entry per stage under `stages` in cdk.json, chosen with `-c stage=NAME`. */

import * as z from 'zod';
import { DEFAULT_INDEX_SHARDS } from '../shared/data/table/schema.ts';

/** Days that CloudWatch Logs can keep a log group, up to a year (CloudWatch Logs, PutRetentionPolicy). */
const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365] as const;

const throttle = z.strictObject({ rate: z.number().positive(), burst: z.int().positive() });

const scoreAdapter = z.strictObject({
  everyMinutes: z.int().min(1).max(60).default(1),
  /** Minutes that a score may be pending before an alarm. */
  alarmAfterMinutes: z.int().min(1).default(60),
});

export type ScoreAdapterSettings = z.output<typeof scoreAdapter>;

const certificateArn = z.string().startsWith('arn:aws:acm:');

/** As Secrets Manager makes them. */
const secretVersionId = z.string().regex(/^[A-Za-z0-9_-]{32,64}$/, 'must be the id of a version of a secret');

const edge = z.strictObject({
  /** Where clients reach the service. */
  domainName: z.string().min(4),
  /** Of `domainName`, in us-east-1. */
  certificateArn,
  /** Where CloudFront reaches the gateway, whose own address is closed unless `open`. */
  originDomainName: z.string().min(4),
  /** Of `originDomainName`, in the stage's region. */
  originCertificateArn: certificateArn,
  /** Requests of one address in five minutes, above which the firewall blocks it. */
  addressRatePer5Minutes: z.int().min(10).default(6_000),
  /** Serves the gateway's own address too, until callers have moved to `domainName`. */
  open: z.boolean().default(false),
  /** Which version of the origin secret CloudFront brings; by default the current one when the stack was deployed. */
  originSecretVersionId: secretVersionId.optional(),
  /** Taken as well while the secret is rotated. */
  previousOriginSecretVersionId: secretVersionId.optional(),
});

export type EdgeSettings = z.output<typeof edge>;

const arn = (pattern: string, what: string) =>
  z.string().regex(new RegExp(`^arn:[^:]+:${pattern}$`), `must be the ARN of ${what}`);
const tableArn = 'dynamodb:[^:]+:\\d{12}:table/[^/]+';
const secretArn = arn('secretsmanager:[^:]+:\\d{12}:secret:[^:]+-[A-Za-z0-9]{6}', 'a secret, complete');

/** Data that the stack is put on instead of making its own: after a restore, or in another region. All of the stack's region. */
const existing = z.strictObject({
  /** The stream (of both images) of the table that answers lie in; the table is that of the stream. */
  tableStreamArn: arn(`${tableArn}/stream/.+`, 'the stream of a table').optional(),
  erasureLogTableArn: arn(tableArn, 'a table').optional(),
  hashSecretArn: secretArn.optional(),
  tokenRingArn: secretArn.optional(),
  /** With an edge. */
  originSecretArn: secretArn.optional(),
});

const stageSettings = z
  .strictObject({
    /** With the stage, the name of the stack: two of one name cannot share an account and region. */
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must match ^[a-z][a-z0-9-]{0,31}$')
      .default('canvass'),
    /** What becomes of answers and secrets when the stack goes. */
    removalPolicy: z.enum(['retain', 'destroy']).default('retain'),
    /** What access keys start with; changing it makes every issued key invalid. */
    keyAbbreviation: z
      .string()
      .regex(/^[a-z0-9]{1,16}$/, 'must match ^[a-z0-9]{1,16}$')
      .default('svc'),
    /** Shards of each index per project; it may be raised on a live table, never lowered. */
    indexShards: z.int().min(1).max(256).default(DEFAULT_INDEX_SHARDS),
    /** Requests per second of one source address on publishable routes where a project sets none; zero is off. */
    defaultAddressRate: z.number().min(0).default(20),
    logRetentionDays: z.literal(LOG_RETENTION_DAYS).default(30),
    /** Who is told of alarms; without an address the topic has no subscriber until someone subscribes. */
    alarmEmail: z.email().optional(),
    /** Where the reader of an alarm finds docs/operations.md, to which each appends its section; an https address for mails. */
    runbookUrl: z.string().min(1).default('docs/operations.md'),
    /** Traces of function invocations in X-Ray, billed per trace. */
    tracing: z.boolean().default(false),
    /** CloudFront, a firewall and a domain in front of the gateway. */
    edge: edge.optional(),
    /** What was the stack's own before stays in the account, but no longer in the stack. */
    existing: existing.optional(),
    /** By route name, in place of the route's own throttle: requests per second, and burst. */
    throttles: z.record(z.string(), throttle).default({}),
    /** Pushes scores to observability platforms (docs/scores.md); `{}` switches it on. */
    scoreAdapter: scoreAdapter.optional(),
  })
  .refine(({ alarmEmail, runbookUrl }) => alarmEmail === undefined || runbookUrl.startsWith('https://'), {
    path: ['runbookUrl'],
    error:
      'must be the https address of docs/operations.md as your team reads it: mails to alarmEmail link to it',
  });

const stageName = z.string().regex(/^[a-z][a-z0-9-]{0,15}$/, 'must match ^[a-z][a-z0-9-]{0,15}$');
const stages = z.record(stageName, z.unknown());

export type DeploymentSettings = z.output<typeof stageSettings> & {
  /** Sealed into show-tokens: a token of one stage is worth nothing in another. */
  readonly stage: string;
};

/** The CloudWatch namespace of a stage's metrics. */
export const metricsNamespace = ({ name, stage }: Pick<DeploymentSettings, 'name' | 'stage'>): string =>
  `${name}-${stage}`;

/** The secret by which the gateway's functions know CloudFront; one name in both regions. */
export const originSecretName = ({ name, stage }: Pick<DeploymentSettings, 'name' | 'stage'>): string =>
  `${name}-${stage}-origin`;

interface Context {
  /** Of `-c stage=NAME`; by default `prod`. */
  readonly stage: unknown;
  readonly stages: unknown;
}

const DEFAULT_STAGE = 'prod';

/** What is wrong with the settings, in words for whoever wrote them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

function complain(where: string, error: z.core.$ZodError): never {
  const issues = error.issues.map(({ path, message }) => `  ${[where, ...path].join('.')}: ${message}`);
  throw new SettingsError(`The settings in cdk.json's context are not valid:\n${issues.join('\n')}`);
}

/**
 * @param routeNames names under which `throttles` may stand
 * @throws SettingsError naming each setting that is wrong
 */
export function readSettings(context: Context, routeNames: readonly string[]): DeploymentSettings {
  const stage = context.stage ?? DEFAULT_STAGE;
  const known = stages.safeParse(context.stages ?? {});
  if (!known.success) complain('stages', known.error);
  const names = Object.keys(known.data);
  if (typeof stage !== 'string' || !names.includes(stage)) {
    throw new SettingsError(
      `There is no stage "${String(stage)}" under "stages" in cdk.json's context; there is: ${names.join(', ') || 'none'}.`,
    );
  }
  const parsed = stageSettings.safeParse(known.data[stage]);
  if (!parsed.success) complain(`stages.${stage}`, parsed.error);
  if (parsed.data.existing !== undefined && parsed.data.removalPolicy === 'destroy') {
    throw new SettingsError(
      `stages.${stage}.existing: needs removalPolicy "retain", deployed once without "existing" before: CloudFormation goes by the policy last deployed, and would destroy what the stack made.`,
    );
  }
  const stray = Object.keys(parsed.data.throttles).filter((name) => !routeNames.includes(name));
  if (stray.length > 0) {
    throw new SettingsError(
      `stages.${stage}.throttles names no route: ${stray.join(', ')}; there is: ${routeNames.join(', ')}.`,
    );
  }
  return { ...parsed.data, stage };
}
