import { type PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** A role that a service of AWS assumes. */
export function serviceRole(
  scope: Construct,
  id: string,
  service: string,
  inlinePolicies: Readonly<Record<string, PolicyDocument>> = {},
): Role {
  return new Role(scope, id, { assumedBy: new ServicePrincipal(service), inlinePolicies });
}
