import { CfnParameter, CfnRule, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { DeploymentSettings } from './settings.ts';

interface Guarded {
  readonly name: string;
  readonly is: string;
  /** A heading in docs/operations.md. */
  readonly section: string;
}

function dataOf({ existing }: DeploymentSettings): string {
  const { kmsKeyArns: _keys, ...data } = existing ?? {};
  return Object.keys(data).sort().join('+') || 'own';
}

/**
 * A setting deleted by mistake would otherwise create an empty table and new secrets. Stack parameters remember the
 * state: `cdk deploy` keeps previous values, and CloudFormation checks rules before it changes anything
 * (CloudFormation, "Rules"). A nested stack gets its parameters from its parent, so it cannot be guarded.
 */
export function guardStage(scope: Construct, settings: DeploymentSettings): void {
  const stack = Stack.of(scope);
  if (stack.nested) return;
  const guarded: readonly Guarded[] = [
    { name: 'Data', is: dataOf(settings), section: 'Other data than before' },
    { name: 'Edge', is: settings.edge === undefined ? 'off' : 'on', section: 'Removing the edge' },
  ];
  for (const { name, is, section } of guarded) {
    const parameter = new CfnParameter(scope, name, {
      default: is,
      description: 'Kept between deployments, to detect a setting that was changed by mistake',
    });
    new CfnRule(scope, `${name}IsMeant`, {
      assertions: [
        {
          assert: Fn.conditionEquals(parameter, is),
          assertDescription: `The settings mean ${name}=${is}, but the stage was deployed with another value. If you intend the change, add --parameters ${stack.stackName}:${parameter.logicalId}=${is}; see "${section}" in docs/operations.md.`,
        },
      ],
    });
  }
}
