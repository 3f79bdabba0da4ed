/** The settings of a deployment: one entry per stage under `stages` in cdk.json, chosen with `-c stage=NAME`. */

import * as z from 'zod';
import { MOST_RESTORED_DAYS } from '../../shared/data/table/erasure-log-schema.ts';
import { DEFAULT_INDEX_SHARDS } from '../../shared/data/table/schema.ts';
import { ALARM_LEVELS } from '../../shared/settings/metrics.ts';
import { secretVersionId, textOrToken } from './setting-fields.ts';
import { digest, events, TELLING_RULES, webhook } from './telling-settings.ts';

/** Days that CloudWatch Logs can keep a log group, up to ten years (CloudWatch Logs, PutRetentionPolicy). */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1_096, 1_827, 2_192, 2_557, 2_922, 3_288,
  3_653,
] as const;

const throttle = z.strictObject({ rate: z.number().positive(), burst: z.int().positive() });

const scoreAdapter = z.strictObject({
  everyMinutes: z.int().min(1).max(60).default(1),
  /** Minutes that a score may be pending before an alarm. */
  alarmAfterMinutes: z.int().min(1).default(60),
  /** Log streams of this account and region that destinations of type `cloudwatch` write to. */
  logStreams: z
    .array(
      z.strictObject({
        logGroup: textOrToken('[\\w./#-]{1,512}', 'the name of a log group'),
        logStream: textOrToken('[^:*]{1,512}', 'the name of a log stream'),
      }),
    )
    .default([]),
});

export type ScoreAdapterSettings = z.output<typeof scoreAdapter>;

const arn = (pattern: string, what: string) =>
  z.string().regex(new RegExp(`^arn:[^:]+:${pattern}$`), `must be the ARN of ${what}`);
const certificateArn = textOrToken('arn:[^:]+:acm:[^:]+:\\d{12}:certificate/.+', 'the ARN of a certificate');
/** CloudFront, "Requirements for using SSL/TLS certificates": of no other region. */
const edgeCertificateArn = textOrToken(
  'arn:[^:]+:acm:us-east-1:\\d{12}:certificate/.+',
  'the ARN of a certificate in us-east-1',
);
/** Complete, not an alias: it is granted by this ARN (AWS KMS, "Key ARN"). */
const keyArn = arn('kms:[^:]+:\\d{12}:key/(mrk-)?[0-9a-f-]{32,36}', 'a key');

const domain = z.strictObject({
  /** Where clients reach the service. */
  name: z
    .string()
    .max(253)
    .regex(
      /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
      'must be a domain, such as surveys.example.com',
    ),
  /** Of `name`, in the stage's region. */
  certificateArn,
  /** A public zone of the account that gets the record of `name`; by default the record is made elsewhere. */
  hostedZoneId: textOrToken('Z[A-Z0-9]{1,31}', 'the id of a hosted zone').optional(),
});

export type DomainSettings = z.output<typeof domain>;

const webAclArn = textOrToken(
  'arn:[^:]+:wafv2:us-east-1:\\d{12}:global/webacl/.+',
  'the ARN of a web ACL of CloudFront, in us-east-1',
);

const edge = z
  .strictObject({
    /** Where clients reach the service. */
    domainName: z.string().min(4),
    /** Of `domainName`, in us-east-1. */
    certificateArn: edgeCertificateArn,
    /** Where CloudFront reaches the gateway, whose own address is closed unless `open`. */
    originDomainName: z.string().min(4),
    /** Of `originDomainName`, in the stage's region. */
    originCertificateArn: certificateArn,
    /** Requests of one address in five minutes, above which the firewall blocks it. */
    addressRatePer5Minutes: z.int().min(10).optional(),
    /** A web ACL of your own in place of the firewall that is made. */
    webAclArn: webAclArn.optional(),
    /** Serves the gateway's own address too, until callers have moved to `domainName`. */
    open: z.boolean().default(false),
    /** Which version of the origin secret CloudFront brings; by default the current one when the stack was deployed. */
    originSecretVersionId: secretVersionId.optional(),
    /** Taken as well while the secret is rotated. */
    previousOriginSecretVersionId: secretVersionId.optional(),
    /** A key of us-east-1 that logs, alarm topic and replica of the origin secret there are encrypted under. */
    kmsKeyArn: keyArn.optional(),
  })
  .refine(
    ({ webAclArn, addressRatePer5Minutes }) =>
      webAclArn === undefined || addressRatePer5Minutes === undefined,
    {
      path: ['addressRatePer5Minutes'],
      error: 'is a rule of the firewall that is made: leave it out with webAclArn',
    },
  );

export type EdgeSettings = z.output<typeof edge>;

const backup = z.strictObject({
  /** Of another account, or region; docs/operations.md says what it has to let in. */
  copyToVaultArn: textOrToken(
    'arn:[^:]+:backup:[^:]+:\\d{12}:backup-vault:[A-Za-z0-9_-]{2,50}',
    'the ARN of a backup vault',
  ),
  /** As long as the log of erasures can repeat what a restore brings back. */
  keepDays: z.int().min(1).max(MOST_RESTORED_DAYS).default(MOST_RESTORED_DAYS),
});

export type BackupSettings = z.output<typeof backup>;

const tableArn = 'dynamodb:[^:]+:\\d{12}:table/[^/]+';
const secretArn = arn('secretsmanager:[^:]+:\\d{12}:secret:[^:]+-[A-Za-z0-9]{6}', 'a secret, complete');

/**
 * Data that the stack is put on instead of making its own: after a restore, or in another region. All of the stack's
 * region.
 */
const existing = z.strictObject({
  /** The stream (of both images) of the table that answers lie in; the table is that of the stream. */
  tableStreamArn: arn(`${tableArn}/stream/.+`, 'the stream of a table').optional(),
  erasureLogTableArn: arn(tableArn, 'a table').optional(),
  hashSecretArn: secretArn.optional(),
  tokenRingArn: secretArn.optional(),
  /** With an edge. */
  originSecretArn: secretArn.optional(),
  /** Keys that these tables and secrets are encrypted under, besides `kmsKeyArn`. */
  kmsKeyArns: z.array(keyArn).default([]),
});

/** From five minutes, in which an alarm's data come in, to twelve hours, of which an alarm can watch two in a row. */
const PROBE_MINUTES = { min: 5, max: 720 } as const;

/** Minutes of `15m` or `2h`; undefined where it is neither. */
function minutesOf(text: string): number | undefined {
  const [, count, unit] = text.match(/^(\d{1,3})([mh])$/) ?? [];
  return count === undefined ? undefined : Number(count) * (unit === 'h' ? 60 : 1);
}

const probe = z.strictObject({
  /** Between two runs. */
  every: z
    .string()
    .default('15m')
    .refine((text) => {
      const minutes = minutesOf(text);
      return minutes !== undefined && minutes >= PROBE_MINUTES.min && minutes <= PROBE_MINUTES.max;
    }, 'must be from "5m" to "12h"'),
  /** Publishable, of the project that `probe create` made. */
  key: z.string().regex(/^[a-z0-9]{1,16}_pk_\w+_[\w-]+$/, 'must be the publishable key of "probe create"'),
});

export type ProbeSettings = z.output<typeof probe>;

export const probeMinutes = ({ every }: ProbeSettings): number => minutesOf(every) ?? PROBE_MINUTES.max;

export const stageSettings = z
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
    /** `essential` are those for what callers, answers and erasures suffer from; `all` say where it comes from, too. */
    alarms: z.enum(ALARM_LEVELS).default('essential'),
    /** A dashboard of what is counted. */
    dashboard: z.boolean().default(false),
    /** Who is told of alarms; without an address the topic has no subscriber until someone subscribes. */
    alarmEmail: z.email().optional(),
    /** Where the reader of an alarm finds docs/operations.md, to which each appends its section; an https address for mails. */
    runbookUrl: z.string().min(1).default('docs/operations.md'),
    /** A key that tables, secrets, queues, alarm topic and logs are encrypted under; by default AWS's own. */
    kmsKeyArn: keyArn.optional(),
    /** Of every resource that takes tags. */
    tags: z.record(z.string().min(1).max(128), z.string().max(256)).default({}),
    /** A managed policy that every role of the stage is bounded by. */
    permissionsBoundaryArn: arn('iam::(\\d{12}|aws):policy/.+', 'a managed policy').optional(),
    /** `canary`: the routes that end users wait for shift to a new version step by step, and back when an alarm goes off. */
    deployment: z.enum(['all-at-once', 'canary']).default('all-at-once'),
    /** Traces of function invocations in X-Ray, billed per trace. */
    tracing: z.boolean().default(false),
    /** CloudFront, a firewall and a domain in front of the gateway. */
    edge: edge.optional(),
    /** A domain of the gateway's own, without CloudFront. */
    domain: domain.optional(),
    /** What was the stack's own before stays in the account, but no longer in the stack. */
    existing: existing.optional(),
    /** Backs both tables up each night, into another account as well. */
    backup: backup.optional(),
    /** By route name, in place of the route's own throttle: requests per second, and burst. */
    throttles: z.record(z.string(), throttle).default({}),
    /** By the name of a function: how many of it run at once, kept free for it and no more (Lambda, "Reserved concurrency"). */
    concurrency: z.record(z.string(), z.int().min(1)).default({}),
    /** Pushes scores to observability platforms (docs/scores.md); `{}` switches it on. */
    scoreAdapter: scoreAdapter.optional(),
    /** Asks and answers as a visitor would, again and again, and alarms when that fails (docs/operations.md). */
    probe: probe.optional(),
    /** Puts events on a bus (docs/events.md); `{}` switches it on. */
    events: events.optional(),
    /** Addresses that events are posted to, each with a rule of its own. */
    webhooks: z.array(webhook).default([]),
    /** Tells each project on Mondays what was answered (docs/events.md); `{}` switches it on. */
    digest: digest.optional(),
  })
  .superRefine((settings, context) => {
    for (const { path, error, isMet } of TELLING_RULES)
      if (!isMet(settings)) context.addIssue({ code: 'custom', path: [...path], message: error });
  })
  .refine(({ edge, domain }) => edge === undefined || domain === undefined, {
    path: ['domain'],
    error: 'excludes edge, which has a domain of its own',
  })
  .refine(({ alarmEmail, runbookUrl }) => alarmEmail === undefined || runbookUrl.startsWith('https://'), {
    path: ['runbookUrl'],
    error:
      'must be the https address of docs/operations.md as your team reads it: mails to alarmEmail link to it',
  });

export type DeploymentSettings = z.output<typeof stageSettings> & {
  /** Sealed into show-tokens: a token of one stage is worth nothing in another. */
  readonly stage: string;
};

/** The CloudWatch namespace of a stage's metrics. */
export const metricsNamespace = ({ name, stage }: Pick<DeploymentSettings, 'name' | 'stage'>): string =>
  `${name}-${stage}`;

/**
 * The secret by which the gateway's functions know CloudFront; one name in both regions. It must not end in a hyphen
 * and six characters, as Secrets Manager's own suffix does (Secrets Manager, CreateSecret: Name).
 */
export const originSecretName = ({ name, stage }: Pick<DeploymentSettings, 'name' | 'stage'>): string =>
  `${name}-${stage}-origin-key`;

/** AWS Backup, CreateBackupVault: BackupVaultName, of letters, digits, hyphens and underscores. */
const VAULT_NAME_CHARACTERS = 50;

/** Of the key, and of the stack. */
const VAULT_NAME_PART = '-12345678'.length;

/** What of the stage's name the name of its vault begins with, so that the rest has room. */
export const vaultNameStart = (settings: Pick<DeploymentSettings, 'name' | 'stage' | 'kmsKeyArn'>): string =>
  metricsNamespace(settings).slice(
    0,
    VAULT_NAME_CHARACTERS - VAULT_NAME_PART * (settings.kmsKeyArn === undefined ? 1 : 2),
  );
