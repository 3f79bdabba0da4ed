/**
 * What a stage needs of the region that it moves to: everything that `existing` replaces, and what replication does not
 * bring by itself, such as keys and the secrets of webhooks.
 */

import * as z from 'zod';
import type { DeploymentSettings } from '../../../lib/settings/settings.ts';
import { ERASURE_LOG } from '../../../shared/data/table/erasure-log-schema.ts';
import { TABLE } from '../../../shared/data/table/schema.ts';

type Service = 'acm' | 'dynamodb' | 'events' | 'kms' | 'secretsmanager';

/** Asks a service of the region. */
export type Ask = (service: Service, action: string, input: object) => Promise<unknown>;

export interface MoveCheck {
  readonly what: string;
  readonly problem: string | null;
}

/** What is wrong, or nothing. */
type Finding = string | undefined;

const tableReply = z.object({
  Table: z.object({
    TableStatus: z.string().optional(),
    LatestStreamArn: z.string().optional(),
    StreamSpecification: z.object({ StreamViewType: z.string().optional() }).optional(),
    DeletionProtectionEnabled: z.boolean().optional(),
    SSEDescription: z.object({ KMSMasterKeyArn: z.string().optional() }).optional(),
    GlobalSecondaryIndexes: z
      .array(z.object({ IndexName: z.string(), IndexStatus: z.string().optional() }))
      .optional(),
  }),
});
const timeToLiveReply = z.object({
  TimeToLiveDescription: z.object({
    TimeToLiveStatus: z.string().optional(),
    AttributeName: z.string().optional(),
  }),
});
const backupsReply = z.object({
  ContinuousBackupsDescription: z.object({
    PointInTimeRecoveryDescription: z.object({ PointInTimeRecoveryStatus: z.string() }).optional(),
  }),
});
const secretReply = z.object({
  KmsKeyId: z.string().optional(),
  DeletedDate: z.unknown().optional(),
  VersionIdsToStages: z.record(z.string(), z.array(z.string())).optional(),
});
const keyReply = z.object({
  KeyMetadata: z.object({ Arn: z.string(), KeyState: z.string(), KeyManager: z.string() }),
});
const certificateReply = z.object({ Certificate: z.object({ Status: z.string() }) });

const regionOf = (arn: string): string => arn.split(':')[3] ?? '';

export async function checkMove(
  settings: DeploymentSettings,
  region: string,
  ask: Ask,
): Promise<readonly MoveCheck[]> {
  const { existing, kmsKeyArn, edge, domain, events, webhooks } = settings;
  /** Keys, with the setting that names each. */
  const named = new Map([
    ...(existing?.kmsKeyArns ?? []).map((arn) => [arn, 'existing.kmsKeyArns'] as const),
    ...(kmsKeyArn === undefined ? [] : [[kmsKeyArn, 'kmsKeyArn'] as const]),
  ]);
  const checks: MoveCheck[] = [];

  async function check(what: string, find: () => Promise<Finding>): Promise<void> {
    try {
      checks.push({ what, problem: (await find()) ?? null });
    } catch (error) {
      checks.push({ what, problem: error instanceof Error ? error.message : String(error) });
    }
  }

  /** @param otherwise what a deployment without it would do */
  async function need(
    what: string,
    arn: string | undefined,
    otherwise: string,
    find: (arn: string) => Promise<Finding>,
  ) {
    await check(what, async () => {
      if (arn === undefined) return `is not set: ${otherwise}`;
      if (regionOf(arn) !== region) return `lies in ${regionOf(arn)}, not in ${region}: ${arn}`;
      return find(arn);
    });
  }

  async function findKey(keyId: string | undefined): Promise<Finding> {
    if (keyId === undefined || named.has(keyId)) return undefined;
    const { KeyMetadata } = keyReply.parse(await ask('kms', 'DescribeKey', { KeyId: keyId }));
    if (KeyMetadata.KeyManager === 'AWS' || named.has(KeyMetadata.Arn)) return undefined;
    return `is encrypted under ${KeyMetadata.Arn}, which neither kmsKeyArn nor existing.kmsKeyArns names: no function could read it`;
  }

  async function findTable(arn: string, attribute: string): Promise<Finding> {
    const TableName = arn.split('/')[1];
    const { Table: table } = tableReply.parse(await ask('dynamodb', 'DescribeTable', { TableName }));
    if (table.TableStatus !== 'ACTIVE') return `is ${table.TableStatus}`;
    const { TimeToLiveDescription: life } = timeToLiveReply.parse(
      await ask('dynamodb', 'DescribeTimeToLive', { TableName }),
    );
    if (life.TimeToLiveStatus !== 'ENABLED' || life.AttributeName !== attribute)
      return `has no time to live by the attribute ${attribute}`;
    const { ContinuousBackupsDescription: backups } = backupsReply.parse(
      await ask('dynamodb', 'DescribeContinuousBackups', { TableName }),
    );
    if (backups.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus !== 'ENABLED')
      return 'has no point-in-time recovery';
    if (table.DeletionProtectionEnabled !== true) return 'is not protected against deletion';
    if (arn.includes('/stream/')) {
      if (table.LatestStreamArn !== arn) return `has another stream: ${table.LatestStreamArn ?? 'none'}`;
      if (table.StreamSpecification?.StreamViewType !== TABLE.stream)
        return `has a stream of ${table.StreamSpecification?.StreamViewType}, not of ${TABLE.stream}`;
      const active = new Set(
        table.GlobalSecondaryIndexes?.flatMap(({ IndexName, IndexStatus }) =>
          IndexStatus === 'ACTIVE' ? [IndexName] : [],
        ),
      );
      const missing = Object.values(TABLE.indexes).find(({ name }) => !active.has(name));
      if (missing !== undefined) return `has no index ${missing.name} that is active`;
    }
    return findKey(table.SSEDescription?.KMSMasterKeyArn);
  }

  /** @param isReadByFunctions whether their roles have to be granted its key */
  async function findSecret(
    SecretId: string,
    isReadByFunctions: boolean,
    version?: string,
  ): Promise<Finding> {
    const secret = secretReply.parse(await ask('secretsmanager', 'DescribeSecret', { SecretId }));
    if (secret.DeletedDate !== undefined) return 'is deleted';
    if (version !== undefined && secret.VersionIdsToStages?.[version] === undefined)
      return `has no version ${version}: replicate it again, or name one that it has`;
    return isReadByFunctions ? findKey(secret.KmsKeyId) : undefined;
  }

  const findCertificate = async (CertificateArn: string): Promise<Finding> => {
    const { Certificate } = certificateReply.parse(
      await ask('acm', 'DescribeCertificate', { CertificateArn }),
    );
    return Certificate.Status === 'ISSUED' ? undefined : `is ${Certificate.Status}`;
  };

  await need(
    'existing.tableStreamArn',
    existing?.tableStreamArn,
    'the stage would begin with an empty table',
    (arn) => findTable(arn, TABLE.timeToLive),
  );
  await need(
    'existing.erasureLogTableArn',
    existing?.erasureLogTableArn,
    'erasures could not be repeated',
    (arn) => findTable(arn, ERASURE_LOG.timeToLive),
  );
  await need(
    'existing.hashSecretArn',
    existing?.hashSecretArn,
    'the stage would know nobody, and no key would open it',
    (arn) => findSecret(arn, true),
  );
  await need(
    'existing.tokenRingArn',
    existing?.tokenRingArn,
    'no token that was issued would be taken',
    (arn) => findSecret(arn, true),
  );
  for (const [arn, setting] of named) {
    await need(setting, arn, '', async (KeyId) => {
      const { KeyMetadata } = keyReply.parse(await ask('kms', 'DescribeKey', { KeyId }));
      return KeyMetadata.KeyState === 'Enabled' ? undefined : `is ${KeyMetadata.KeyState}`;
    });
  }
  if (edge !== undefined) {
    await need('existing.originSecretArn', existing?.originSecretArn, 'CloudFront would be refused', (arn) =>
      findSecret(arn, false, edge.originSecretVersionId),
    );
    await need('edge.originCertificateArn', edge.originCertificateArn, '', findCertificate);
  }
  if (domain !== undefined) await need('domain.certificateArn', domain.certificateArn, '', findCertificate);
  if (events?.busArn !== undefined) {
    await need('events.busArn', events.busArn, '', async () => undefined);
  } else if (events !== undefined) {
    const Name = events.busName ?? 'default';
    await check(`event bus ${Name}`, async () => {
      await ask('events', 'DescribeEventBus', { Name });
      return undefined;
    });
  }
  for (const webhook of webhooks) {
    const { secretName } = webhook;
    // Slack's is read when a message is sent, as it is then.
    const secretVersion = webhook.format === 'slack' ? undefined : webhook.secretVersion;
    await check(`secret of a webhook: ${secretName}`, async () => {
      if (secretName.startsWith('arn:') && regionOf(secretName) !== region)
        return `lies in ${regionOf(secretName)}, not in ${region}`;
      return findSecret(secretName, false, secretVersion);
    });
  }
  return checks;
}
