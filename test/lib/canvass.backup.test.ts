import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { Canvass } from '../../lib/canvass.ts';
import { resolveTemplate, type TemplateText } from '../support/stack/resolved-template.ts';
import { anApp, aStack, aTemplate, logicalId } from '../support/stack/synthesised-stack.ts';

const copyToVaultArn = 'arn:aws:backup:eu-west-1:210987654321:backup-vault:canvass';
const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/8a7b6c5d-1234-4321-abcd-1234567890ab';
const OTHER_KEY = KEY.replace('8a7b', '9a7b');

const idOf = (template: Template, type: string) => logicalId(template, `AWS::Backup::${type}`);

describe('a backup', () => {
  const template = aTemplate({ backup: { copyToVaultArn }, tags: { team: 'growth' } });

  it('runs each night for both tables, is kept 35 days and copied to the other account’s vault', () => {
    const lifecycle = { DeleteAfterDays: 35 };
    template.hasResourceProperties('AWS::Backup::BackupPlan', {
      BackupPlan: {
        BackupPlanRule: [
          {
            ScheduleExpression: 'cron(0 5 ? * * *)',
            TargetBackupVault: { Ref: idOf(template, 'BackupVault') },
            Lifecycle: lifecycle,
            RecoveryPointTags: { 'canvass-stage': 'canvass-test' },
            CopyActions: [{ DestinationBackupVaultArn: copyToVaultArn, Lifecycle: lifecycle }],
          },
        ],
      },
    });
    const tables = Object.keys(template.findResources('AWS::DynamoDB::Table'));
    expect(tables).toHaveLength(2);
    template.hasResourceProperties('AWS::Backup::BackupSelection', {
      BackupPlanId: { Ref: idOf(template, 'BackupPlan') },
      BackupSelection: { Resources: tables.map((table) => ({ 'Fn::GetAtt': [table, 'Arn'] })) },
    });
  });

  it('stays when the stage is deleted, and does not block a new stage with the same name', () => {
    const [vault] = Object.values(template.findResources('AWS::Backup::BackupVault'));
    expect(vault).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    expect(JSON.stringify(vault?.Properties.BackupVaultName)).toMatch(/canvass-test-.*AWS::StackId/);
    const long = aTemplate({ name: 'a'.repeat(32), backup: { copyToVaultArn } });
    const [named] = Object.values(long.findResources('AWS::Backup::BackupVault'));
    const prefix = named?.Properties.BackupVaultName['Fn::Join'][1][0];
    expect(prefix.length + 8).toBeLessThanOrEqual(50);
  });

  it('notifies the alarm topic if it or its copy fails', () => {
    const topic = logicalId(template, 'AWS::SNS::Topic');
    const tables = Object.keys(template.findResources('AWS::DynamoDB::Table'));
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.backup'],
        'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
        detail: {
          state: ['FAILED', 'EXPIRED', 'ABORTED', 'PARTIAL'],
          resourceArn: tables.map((table) => ({ 'Fn::GetAtt': [table, 'Arn'] })),
        },
      },
      Targets: [{ Arn: { Ref: topic }, Id: 'Alarms' }],
    });
    const rule = logicalId(template, 'AWS::Events::Rule', '/Failures');
    template.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Principal: { Service: 'events.amazonaws.com' },
            Action: 'sns:Publish',
            Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [rule, 'Arn'] } } },
          }),
        ]),
      },
    });
    template.hasResourceProperties('AWS::Backup::BackupVault', { BackupVaultTags: { team: 'growth' } });
  });

  it('runs under a role that only AWS Backup can assume, which the command line finds', () => {
    const id = logicalId(template, 'AWS::IAM::Role', '/Backup/');
    const role = template.findResources('AWS::IAM::Role')[id]?.Properties;
    expect(role.AssumeRolePolicyDocument.Statement).toEqual([
      { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'backup.amazonaws.com' } },
    ]);
    const policies = JSON.stringify(role.ManagedPolicyArns);
    expect(policies).toContain('AWSBackupServiceRolePolicyForBackup');
    expect(policies).toContain('AWSBackupServiceRolePolicyForRestores');
    template.hasOutput('BackupRoleArn', { Value: { 'Fn::GetAtt': [id, 'Arn'] } });
    template.hasOutput('BackupVaultName', {});
    template.hasOutput('BackupCopyVaultArn', { Value: copyToVaultArn });
  });

  it('is encrypted with the stage’s key, which its role and its notifications may use', () => {
    const own = aTemplate({ backup: { copyToVaultArn, keepDays: 7 }, kmsKeyArn: KEY });
    own.hasResourceProperties('AWS::Backup::BackupVault', { EncryptionKeyArn: KEY });
    own.hasResourceProperties('AWS::IAM::Policy', {
      Roles: [{ Ref: logicalId(own, 'AWS::IAM::Role', '/Backup/') }],
      PolicyDocument: { Statement: [Match.objectLike({ Resource: KEY })] },
    });
    const stack = new Stack(anApp(), 'Team');
    const kmsKey = new Key(stack, 'Key');
    new Canvass(stack, 'Surveys', { stage: 'test', kmsKey, backup: { copyToVaultArn } });
    const [made] = Object.values(Template.fromStack(stack).findResources('AWS::KMS::Key'));
    expect(JSON.stringify(made?.Properties.KeyPolicy)).toContain('events.amazonaws.com');
  });

  it('has another vault for another key, with names that never collide and that AWS accepts', () => {
    const named = (settings: object) => {
      const backed = aTemplate({ backup: { copyToVaultArn }, ...settings }).toJSON() as TemplateText;
      const resources = [...resolveTemplate(backed).values()];
      return resources.find(({ type }) => type === 'AWS::Backup::BackupVault')?.properties.BackupVaultName;
    };
    const keyed = [{}, { kmsKeyArn: KEY }, { kmsKeyArn: OTHER_KEY }];
    const names = [...keyed, { name: 'a'.repeat(32), kmsKeyArn: KEY }].map(named);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9-_]{2,50}$/);
    expect(names[0]).toBe('canvass-test-8a7b6c5d');
    const made = (id: string) => {
      const stack = new Stack(anApp(), 'Team');
      const backup = { copyToVaultArn };
      new Canvass(stack, 'Surveys', { stage: 'test', kmsKey: new Key(stack, id), backup });
      const [vault] = Object.values(Template.fromStack(stack).findResources('AWS::Backup::BackupVault'));
      return JSON.stringify(vault?.Properties.BackupVaultName);
    };
    expect(made('Key')).toBe(made('Key'));
    expect(made('Key')).not.toBe(made('OtherKey'));
  });

  it.each([
    ['kept longer than erasures are remembered', { copyToVaultArn, keepDays: 36 }, /backup\.keepDays: /],
    ['without a vault', { keepDays: 7 }, /backup\.copyToVaultArn: /],
    ['a vault’s name', { copyToVaultArn: 'canvass' }, /backup\.copyToVaultArn: must be the ARN/],
  ])('is refused: %s', (_what, backup, message) => {
    expect(() => aStack({ backup })).toThrow(message);
  });
});
