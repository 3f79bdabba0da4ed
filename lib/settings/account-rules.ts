import { Tags } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { DeploymentSettings } from './settings.ts';

export function applyAccountRules(
  scope: Construct,
  { tags, permissionsBoundaryArn }: DeploymentSettings,
): void {
  for (const [name, value] of Object.entries(tags)) Tags.of(scope).add(name, value);
  if (permissionsBoundaryArn === undefined) return;
  const boundary = ManagedPolicy.fromManagedPolicyArn(scope, 'Boundary', permissionsBoundaryArn);
  PermissionsBoundary.of(scope).apply(boundary);
}
