/** What settings add to a stage that are off by default. */

import { vaultNameStart } from '../../../lib/settings/settings.ts';
import { jsonWebhooksOf } from '../../../lib/settings/telling-settings.ts';
import type { Arns, Place } from './place.ts';
import { allow, type Statement, verbs } from './statement.ts';

/** A secret by its name or its ARN, complete or without its suffix. */
export const secretArn = (arn: (service: string, rest: string) => string, nameOrArn: string): string =>
  nameOrArn.startsWith('arn:') ? `${nameOrArn}*` : arn('secretsmanager', `secret:${nameOrArn}-??????`);

function ruleStatements({ settings }: Place, { arn, base }: Arns): readonly Statement[] {
  const { webhooks, probe, backup } = settings;
  if (webhooks.length === 0 && probe === undefined && backup === undefined) return [];
  return [
    allow(
      'Rules',
      verbs(
        'events',
        'PutRule DescribeRule DeleteRule PutTargets RemoveTargets ListTargetsByRule TagResource UntagResource',
      ),
      [arn('events', `rule/${base}-*`), arn('events', `rule/*/${base}-*`)],
    ),
  ];
}

function webhookStatements({ settings }: Place, arns: Arns): readonly Statement[] {
  const webhooks = jsonWebhooksOf(settings.webhooks);
  if (webhooks.length === 0) return [];
  const { arn, base, linkedRole } = arns;
  return [
    allow(
      'Webhooks',
      verbs(
        'events',
        'CreateApiDestination DescribeApiDestination UpdateApiDestination DeleteApiDestination CreateConnection DescribeConnection UpdateConnection DeleteConnection',
      ),
      [arn('events', `api-destination/${base}-*`), arn('events', `connection/${base}-*`)],
    ),
    allow(
      'WebhookConnections',
      verbs(
        'secretsmanager',
        'CreateSecret DescribeSecret UpdateSecret DeleteSecret GetSecretValue PutSecretValue TagResource',
      ),
      [arn('secretsmanager', `secret:events!connection/${base}-*`)],
    ),
    // CloudFormation reads them where the template names them.
    allow(
      'WebhookSecrets',
      ['secretsmanager:GetSecretValue'],
      [...new Set(webhooks.map(({ secretName }) => secretArn(arn, secretName)))],
    ),
    allow(
      'WebhooksLinked',
      ['iam:CreateServiceLinkedRole'],
      [linkedRole('apidestinations.events.amazonaws.com')],
    ),
  ];
}

/** Of every stage: expired answers are swept each night. */
function scheduleStatements({ arn }: Arns): readonly Statement[] {
  return [
    allow('Schedule', verbs('scheduler', 'CreateSchedule GetSchedule UpdateSchedule DeleteSchedule'), [
      arn('scheduler', 'schedule/default/*'),
    ]),
  ];
}

function gradualStatements({ settings }: Place, { arn, names }: Arns): readonly Statement[] {
  if (settings.deployment !== 'canary') return [];
  return [
    allow(
      'GradualDeployment',
      verbs(
        'codedeploy',
        'CreateApplication GetApplication DeleteApplication CreateDeploymentGroup GetDeploymentGroup UpdateDeploymentGroup DeleteDeploymentGroup CreateDeployment GetDeployment GetDeploymentConfig RegisterApplicationRevision GetApplicationRevision TagResource UntagResource ListTagsForResource',
      ),
      [`application:${names}`, `deploymentgroup:${names}/*`, 'deploymentconfig:*'].map((rest) =>
        arn('codedeploy', rest),
      ),
    ),
    allow('GradualDeploymentStopped', ['codedeploy:StopDeployment'], ['*']),
  ];
}

function domainStatements({ settings: { domain } }: Place, { bare }: Arns): readonly Statement[] {
  if (domain?.hostedZoneId === undefined) return [];
  return [
    allow('DomainRecord', verbs('route53', 'ChangeResourceRecordSets GetHostedZone ListResourceRecordSets'), [
      bare('route53', `hostedzone/${domain.hostedZoneId}`),
    ]),
    allow('DomainRecordDone', ['route53:GetChange'], [bare('route53', 'change/*')]),
  ];
}

function backupStatements({ settings }: Place, { arn, linkedRole }: Arns): readonly Statement[] {
  if (settings.backup === undefined) return [];
  return [
    allow(
      'Backups',
      verbs(
        'backup',
        'CreateBackupVault DescribeBackupVault DeleteBackupVault PutBackupVaultNotifications GetBackupVaultNotifications DeleteBackupVaultNotifications GetBackupVaultAccessPolicy CreateBackupPlan GetBackupPlan UpdateBackupPlan DeleteBackupPlan CreateBackupSelection GetBackupSelection DeleteBackupSelection TagResource UntagResource ListTags',
      ),
      [arn('backup', `backup-vault:${vaultNameStart(settings)}-*`), arn('backup', 'backup-plan:*')],
    ),
    allow('BackupStorage', ['backup-storage:MountCapsule'], ['*']),
    allow('BackupsLinked', ['iam:CreateServiceLinkedRole'], [linkedRole('backup.amazonaws.com')]),
  ];
}

function keyStatements({ settings: { kmsKeyArn, existing, edge } }: Place): readonly Statement[] {
  const keys = [kmsKeyArn, ...(existing?.kmsKeyArns ?? []), edge?.kmsKeyArn].filter(
    (key) => key !== undefined,
  );
  if (keys.length === 0) return [];
  return [
    allow('Keys', verbs('kms', 'DescribeKey CreateGrant RetireGrant Decrypt Encrypt GenerateDataKey'), [
      ...new Set(keys),
    ]),
  ];
}

export const featureStatements = (place: Place, arns: Arns): readonly Statement[] => [
  ...ruleStatements(place, arns),
  ...webhookStatements(place, arns),
  ...scheduleStatements(arns),
  ...gradualStatements(place, arns),
  ...domainStatements(place, arns),
  ...backupStatements(place, arns),
  ...keyStatements(place),
];
