import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { encryptionKey } from '../data/encryption-key.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

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
