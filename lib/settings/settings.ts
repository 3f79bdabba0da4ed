/** canvass-props.ts documents each setting. A type in its test keeps both files equal. */

import * as z from 'zod';
import { DEFAULT_INDEX_SHARDS, MOST_RESTORED_DAYS } from '../../shared/data/table/schema.ts';
import { ALARM_LEVELS } from '../../shared/settings/metrics.ts';
import { digest, events, secretVersionId, TELLING_RULES, textOrToken, webhook } from './telling-settings.ts';

const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1_096, 1_827, 2_192, 2_557, 2_922, 3_288,
  3_653,
] as const;

const throttle = z.strictObject({ rate: z.number().positive(), burst: z.int().positive() });

const scoreAdapter = z.strictObject({
  everyMinutes: z.int().min(1).max(60).default(1),
  alarmAfterMinutes: z.int().min(1).default(60),
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
/** See CloudFront, "Requirements for using SSL/TLS certificates". */
const edgeCertificateArn = textOrToken(
  'arn:[^:]+:acm:us-east-1:\\d{12}:certificate/.+',
  'the ARN of a certificate in us-east-1',
);
/** Policies grant access to this ARN, not to an alias (AWS KMS, "Key ARN"). */
const keyArn = arn('kms:[^:]+:\\d{12}:key/(mrk-)?[0-9a-f-]{32,36}', 'a key');

const domain = z.strictObject({
  name: z
    .string()
    .max(253)
    .regex(
      /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
      'must be a domain, such as surveys.example.com',
    ),
  certificateArn,
  hostedZoneId: textOrToken('Z[A-Z0-9]{1,31}', 'the id of a hosted zone').optional(),
});

export type DomainSettings = z.output<typeof domain>;

const webAclArn = textOrToken(
  'arn:[^:]+:wafv2:us-east-1:\\d{12}:global/webacl/.+',
  'the ARN of a web ACL of CloudFront scope, in us-east-1',
);

const edge = z
  .strictObject({
    domainName: z.string().min(4),
    certificateArn: edgeCertificateArn,
    originDomainName: z.string().min(4),
    originCertificateArn: certificateArn,
    addressRatePer5Minutes: z.int().min(10).optional(),
    webAclArn: webAclArn.optional(),
    open: z.boolean().default(false),
    originSecretVersionId: secretVersionId.optional(),
    previousOriginSecretVersionId: secretVersionId.optional(),
    kmsKeyArn: keyArn.optional(),
  })
  .refine(
    ({ webAclArn, addressRatePer5Minutes }) =>
      webAclArn === undefined || addressRatePer5Minutes === undefined,
    {
      path: ['addressRatePer5Minutes'],
      error: 'applies only to the firewall that Canvass creates: remove it if you set webAclArn',
    },
  );

export type EdgeSettings = z.output<typeof edge>;

const backup = z.strictObject({
  copyToVaultArn: textOrToken(
    'arn:[^:]+:backup:[^:]+:\\d{12}:backup-vault:[A-Za-z0-9_-]{2,50}',
    'the ARN of a backup vault',
  ),
  /** The erasure log cannot repeat all erasures after the restore of an older backup. */
  keepDays: z.int().min(1).max(MOST_RESTORED_DAYS).default(MOST_RESTORED_DAYS),
});

export type BackupSettings = z.output<typeof backup>;

const tableArn = 'dynamodb:[^:]+:\\d{12}:table/[^/]+';
const secretArn = arn(
  'secretsmanager:[^:]+:\\d{12}:secret:[^:]+-[A-Za-z0-9]{6}',
  'a secret, with the suffix of six characters',
);

const existing = z.strictObject({
  tableStreamArn: arn(`${tableArn}/stream/.+`, 'the stream of a table').optional(),
  erasureLogTableArn: arn(tableArn, 'a table').optional(),
  hashSecretArn: secretArn.optional(),
  tokenRingArn: secretArn.optional(),
  originSecretArn: secretArn.optional(),
  kmsKeyArns: z.array(keyArn).default([]),
});

/** Alarm data takes up to five minutes to arrive, and an alarm covers at most two periods of twelve hours. */
const PROBE_MINUTES = { min: 5, max: 720 } as const;

function minutesOf(text: string): number | undefined {
  const [, count, unit] = text.match(/^(\d{1,3})([mh])$/) ?? [];
  return count === undefined ? undefined : Number(count) * (unit === 'h' ? 60 : 1);
}

const probe = z.strictObject({
  every: z
    .string()
    .default('15m')
    .refine((text) => {
      const minutes = minutesOf(text);
      return minutes !== undefined && minutes >= PROBE_MINUTES.min && minutes <= PROBE_MINUTES.max;
    }, 'must be from "5m" to "12h"'),
  key: z
    .string()
    .regex(/^[a-z0-9]{1,16}_pk_\w+_[\w-]+$/, 'must be the publishable key that "probe create" printed'),
  mintKeySecret: z.string().min(1).max(512).optional(),
});

export type ProbeSettings = z.output<typeof probe>;

export const probeMinutes = ({ every }: ProbeSettings): number => minutesOf(every) ?? PROBE_MINUTES.max;

const budget = z.strictObject({
  monthlyUsd: z.number().positive().max(1_000_000),
  email: z.email(),
});

export type BudgetSettings = z.output<typeof budget>;

export const stageSettings = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must match ^[a-z][a-z0-9-]{0,31}$')
      .default('canvass'),
    removalPolicy: z.enum(['retain', 'destroy']).default('retain'),
    secretNames: z.enum(['generated', 'stack']).default('generated'),
    keyAbbreviation: z
      .string()
      .regex(/^[a-z0-9]{1,16}$/, 'must match ^[a-z0-9]{1,16}$')
      .default('svc'),
    indexShards: z.int().min(1).max(256).default(DEFAULT_INDEX_SHARDS),
    defaultAddressRate: z.number().min(0).default(20),
    logRetentionDays: z.literal(LOG_RETENTION_DAYS).default(30),
    alarms: z.enum(ALARM_LEVELS).default('essential'),
    dashboard: z.boolean().default(false),
    alarmEmail: z.email().optional(),
    runbookUrl: z.string().min(1).default('docs/operations.md'),
    kmsKeyArn: keyArn.optional(),
    tags: z.record(z.string().min(1).max(128), z.string().max(256)).default({}),
    permissionsBoundaryArn: arn('iam::(\\d{12}|aws):policy/.+', 'a managed policy').optional(),
    deployment: z.enum(['all-at-once', 'canary']).default('all-at-once'),
    tracing: z.boolean().default(false),
    edge: edge.optional(),
    domain: domain.optional(),
    existing: existing.optional(),
    backup: backup.optional(),
    budget: budget.optional(),
    throttles: z.record(z.string(), throttle).default({}),
    concurrency: z.record(z.string(), z.int().min(1)).default({}),
    scoreAdapter: scoreAdapter.optional(),
    probe: probe.optional(),
    events: events.optional(),
    webhooks: z.array(webhook).default([]),
    digest: digest.optional(),
  })
  .superRefine((settings, context) => {
    for (const { path, error, isMet } of TELLING_RULES)
      if (!isMet(settings)) context.addIssue({ code: 'custom', path: [...path], message: error });
  })
  .refine(({ edge, domain }) => edge === undefined || domain === undefined, {
    path: ['domain'],
    error: 'excludes edge, which has its own domain',
  })
  .refine(({ alarmEmail, runbookUrl }) => alarmEmail === undefined || runbookUrl.startsWith('https://'), {
    path: ['runbookUrl'],
    error:
      'must be an https address where your team reads docs/operations.md: emails to alarmEmail link to it',
  });

export type DeploymentSettings = z.output<typeof stageSettings> & {
  readonly stage: string;
};

/** The tag of backups with the stage's name. */
export const BACKUP_TAG = 'canvass-stage';

export const metricsNamespace = ({ name, stage }: Pick<DeploymentSettings, 'name' | 'stage'>): string =>
  `${name}-${stage}`;

/**
 * The name is the same in both regions. It must not end in a hyphen and six characters, like Secrets Manager's own
 * suffix (Secrets Manager, CreateSecret: Name).
 */
export const originSecretName = ({ name, stage }: Pick<DeploymentSettings, 'name' | 'stage'>): string =>
  `${name}-${stage}-origin-key`;

/** See AWS Backup, CreateBackupVault: BackupVaultName. */
const VAULT_NAME_CHARACTERS = 50;

/** The name ends in one suffix for the key and one for the stack. */
const VAULT_NAME_PART = '-12345678'.length;

export const vaultNameStart = (settings: Pick<DeploymentSettings, 'name' | 'stage' | 'kmsKeyArn'>): string =>
  metricsNamespace(settings).slice(
    0,
    VAULT_NAME_CHARACTERS - VAULT_NAME_PART * (settings.kmsKeyArn === undefined ? 1 : 2),
  );
