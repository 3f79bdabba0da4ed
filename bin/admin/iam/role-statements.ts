/** What the roles of a stage may be made of, and that none leaves its boundary. */

import type { DeploymentSettings } from '../../../lib/settings/settings.ts';
import type { Arns } from './place.ts';
import { allow, type Statement, verbs } from './statement.ts';

/** Managed policies that roles of a stage have, by the setting that asks for them. */
function attached({ deployment, backup }: DeploymentSettings): readonly string[] {
  return [
    ...(deployment === 'canary' ? ['AWSCodeDeployRoleForLambdaLimited'] : []),
    ...(backup === undefined
      ? []
      : ['AWSBackupServiceRolePolicyForBackup', 'AWSBackupServiceRolePolicyForRestores']),
  ];
}

/** Services that take a role of the stage. */
const TAKERS = ['lambda', 'states', 'scheduler', 'events', 'codedeploy', 'backup'];

/**
 * With a boundary, roles can be made and widened under it alone, and it cannot be taken off: neither by a template nor by
 * a rollback (docs/iam.md). The condition stands on actions that carry its key; any other action it would deny.
 */
export function roleStatements(
  settings: DeploymentSettings,
  { names, role, partition }: Arns,
): readonly Statement[] {
  const { permissionsBoundaryArn: boundary } = settings;
  const roles = [role(names)];
  const bounded = boundary === undefined ? {} : { StringEquals: { 'iam:PermissionsBoundary': boundary } };
  const within = boundary === undefined ? undefined : bounded;
  const managed = attached(settings).map((name) => `arn:${partition}:iam::aws:policy/service-role/${name}`);
  return [
    allow(
      'Roles',
      verbs(
        'iam',
        'GetRole UpdateRole UpdateRoleDescription UpdateAssumeRolePolicy DeleteRole GetRolePolicy DeleteRolePolicy ListRolePolicies ListAttachedRolePolicies TagRole UntagRole',
      ),
      roles,
    ),
    allow(
      'RolesWithinBoundary',
      verbs(
        'iam',
        `CreateRole PutRolePolicy PutRolePermissionsBoundary${boundary === undefined ? ' DeleteRolePermissionsBoundary' : ''}`,
      ),
      roles,
      within,
    ),
    ...(boundary === undefined
      ? []
      : [
          {
            ...allow('BoundaryStays', ['iam:DeleteRolePermissionsBoundary'], [role('*')]),
            Effect: 'Deny',
          } as const,
        ]),
    ...(managed.length === 0
      ? []
      : [
          allow('RolesOfAws', ['iam:AttachRolePolicy'], roles, {
            ArnEquals: { 'iam:PolicyARN': managed },
            ...bounded,
          }),
          allow('RolesOfAwsTakenOff', ['iam:DetachRolePolicy'], roles, {
            ArnEquals: { 'iam:PolicyARN': managed },
          }),
        ]),
    allow('RolesToServices', ['iam:PassRole'], roles, {
      StringEquals: { 'iam:PassedToService': TAKERS.map((service) => `${service}.amazonaws.com`) },
    }),
  ];
}
