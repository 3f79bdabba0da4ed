import { Aws } from 'aws-cdk-lib';
import { type PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** See IAM, "The confused deputy problem". */
export function serviceRole(
  scope: Construct,
  id: string,
  service: string,
  inlinePolicies: Readonly<Record<string, PolicyDocument>> = {},
): Role {
  const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
  return new Role(scope, id, { assumedBy: new ServicePrincipal(service, { conditions }), inlinePolicies });
}
