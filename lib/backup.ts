import { createHash } from 'node:crypto';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import { type Alarm, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { createOverdueAlarm } from './alarms/alarm.ts';
import { AlarmTopic } from './alarms/alarm-topic.ts';
import { partOfStackId } from './data/secrets.ts';
import { ruleStatement } from './functions/function-role.ts';
import {
  BACKUP_TAG,
  type BackupSettings,
  type DeploymentSettings,
  metricsNamespace,
  vaultNameStart,
} from './settings/settings.ts';

/** See AWS Backup, "Advanced DynamoDB backup". */
const MANAGED_POLICIES = ['Backup', 'Restores'].map(
  (what) => `service-role/AWSBackupServiceRolePolicyFor${what}`,
);

/**
 * See AWS Backup, "Monitoring events using EventBridge". The vault's own notifications no longer include failed backups
 * (PutBackupVaultNotifications).
 */
const FAILURES = ['FAILED', 'EXPIRED', 'ABORTED', 'PARTIAL'];

interface BackupProps {
  readonly backup: BackupSettings;
  readonly settings: DeploymentSettings;
  readonly tableArns: readonly string[];
}

/** A job may start hours after its time, and take hours. */
const OVERDUE_AFTER = Duration.days(2);

/** Point-in-time recovery is more recent, but does not survive the loss of this account. */
export class Backup extends Construct {
  readonly vaultName: string;
  readonly roleArn: string;
  readonly alarms: readonly Alarm[];
  readonly #ruleName: string;
  readonly #tableArns: readonly string[];

  constructor(scope: Construct, id: string, { backup, settings, tableArns }: BackupProps) {
    super(scope, id);
    const { copyToVaultArn, keepDays } = backup;
    const name = metricsNamespace(settings);
    this.vaultName = this.#nameVault(settings);
    const vault = new CfnBackupVault(this, 'Vault', {
      backupVaultName: this.vaultName,
      ...(settings.kmsKeyArn !== undefined && { encryptionKeyArn: settings.kmsKeyArn }),
    });
    // A failed first deployment deletes the vault and frees its name.
    vault.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    this.#ruleName = `${name}-backup`;
    this.#tableArns = tableArns;
    const lifecycle = { deleteAfterDays: keepDays };
    const plan = new CfnBackupPlan(this, 'Plan', {
      backupPlan: {
        backupPlanName: name,
        backupPlanRule: [
          {
            ruleName: 'daily',
            targetBackupVault: vault.ref,
            scheduleExpression: 'cron(0 5 ? * * *)',
            lifecycle,
            recoveryPointTags: { [BACKUP_TAG]: name },
            copyActions: [{ destinationBackupVaultArn: copyToVaultArn, lifecycle }],
          },
        ],
      },
    });
    const role = this.#role(settings);
    this.roleArn = role.roleArn;
    new CfnBackupSelection(this, 'Tables', {
      backupPlanId: plan.ref,
      backupSelection: { selectionName: 'tables', iamRoleArn: role.roleArn, resources: [...tableArns] },
    });
    // See AWS Backup, "AWS Backup metrics with Amazon CloudWatch".
    const completed = new Metric({
      ...{ namespace: 'AWS/Backup', metricName: 'NumberOfBackupJobsCompleted' },
      dimensionsMap: { BackupVaultName: vault.ref },
    });
    const words = {
      name: 'backup-overdue',
      means: 'No daily backup was completed for two days.',
      first: `aws backup list-backup-jobs --by-backup-vault-name ${vault.ref}`,
    };
    this.alarms = [createOverdueAlarm(this, settings, completed, words, OVERDUE_AFTER)];
  }

  /**
   * A vault with backups cannot be deleted, so its name must not conflict with a later stack or key. A change of the
   * key replaces the vault (CloudFormation, AWS::Backup::BackupVault: EncryptionKeyArn).
   */
  #nameVault(settings: DeploymentSettings): string {
    // A key that is created in the same app has no ARN yet, so its reference identifies it.
    const key: unknown = Stack.of(this).resolve(settings.kmsKeyArn);
    const ofKey =
      key === undefined ? [] : [createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 8)];
    return [vaultNameStart(settings), ...ofKey, partOfStackId()].join('-');
  }

  tellFailures(topic: ITopic): void {
    if (!(topic instanceof AlarmTopic)) return;
    const rule = new CfnRule(this, 'Failures', {
      name: this.#ruleName,
      description: 'Canvass: failed backups and copies of its tables',
      eventPattern: {
        source: ['aws.backup'],
        'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
        detail: { state: FAILURES, resourceArn: [...this.#tableArns] },
      },
      targets: [{ id: 'Alarms', arn: topic.topicArn }],
    });
    topic.addToResourcePolicy(
      ruleStatement('AllowBackupFailures', 'sns:Publish', topic.topicArn, rule.attrArn),
    );
  }

  /** AWS Backup accepts no role from another account (IAM, PassRole). */
  #role({ kmsKeyArn }: DeploymentSettings): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: MANAGED_POLICIES.map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
    });
    for (const name of MANAGED_POLICIES) {
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${name}]`,
        reason: 'AWS Backup asks for its own policies, which change with what it does.',
      });
    }
    if (kmsKeyArn === undefined) return role;
    // Without access to the vault's key, a job succeeds without a backup (AWS Backup, "Encryption").
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['kms:DescribeKey', 'kms:Decrypt', 'kms:GenerateDataKey', 'kms:CreateGrant'],
        resources: [kmsKeyArn],
      }),
    );
    return role;
  }
}
