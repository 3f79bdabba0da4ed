import { CfnParameter, CfnRule, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { DeploymentSettings } from './settings.ts';

interface Guarded {
  /** Of the parameter. */
  readonly name: string;
  readonly is: string;
  /** Heading in docs/operations.md. */
  readonly section: string;
}

/** Which data a stage lies on: `own`, or what of it was there before. */
function dataOf({ existing }: DeploymentSettings): string {
  const { kmsKeyArns: _keys, ...data } = existing ?? {};
  return Object.keys(data).sort().join('+') || 'own';
}

/**
 * Refuses a deployment by which a stage would lie on other data than before, or lose its edge, unless the command says
 * so. A setting that was deleted by mistake would otherwise make an empty table and new secrets. The stack remembers in
 * parameters, whose values the CLI carries over from one deployment to the next (`cdk deploy`, previous-parameters), and
 * CloudFormation checks rules before it changes anything (CloudFormation, "Rules"). A nested stack is told its parameters
 * by its parent, and remembers nothing: it is not guarded.
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
      description: 'Carried over between deployments, to notice a setting that changed by mistake',
    });
    new CfnRule(scope, `${name}IsMeant`, {
      assertions: [
        {
          assert: Fn.conditionEquals(parameter, is),
          assertDescription: `The settings say ${name}=${is}, and the stage was deployed otherwise. If that is meant, add --parameters ${stack.stackName}:${parameter.logicalId}=${is}; see "${section}" in docs/operations.md.`,
        },
      ],
    });
  }
}
