import {
  Annotations,
  Arn,
  ArnFormat,
  CfnParameter,
  CfnResource,
  CfnRule,
  Fn,
  Stack,
  Token,
  TokenComparison,
} from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import { type DeploymentSettings, metricsNamespace } from './settings.ts';
import { SettingsError } from './settings-error.ts';

interface Guarded {
  readonly name: string;
  readonly is: string;
  /** A heading in docs/operations.md. */
  readonly section: string;
}

function dataOf({ existing, secretNames }: DeploymentSettings): string {
  const { kmsKeyArns: _keys, ...data } = existing ?? {};
  const used = Object.keys(data).sort().join('+') || 'own';
  // Other names would replace the secrets.
  return secretNames === 'stack' ? `${used}+secretNames` : used;
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

const instances = new WeakMap<IConstruct, { readonly name: string; readonly instance: IConstruct }[]>();

const environment = (stack: Stack): string => `${stack.account}/${stack.region}`;

/**
 * Two deployments with the same name and stage would share names of APIs, logs, alarms, dashboards and metrics. Warns
 * if the app does not specify account and region.
 */
export function refuseTwins(instance: IConstruct, settings: DeploymentSettings): void {
  const { root } = instance.node;
  const known = instances.get(root) ?? [];
  const name = metricsNamespace(settings);
  const stack = Stack.of(instance);
  for (const other of known.filter((each) => each.name === name)) {
    const otherStack = Stack.of(other.instance);
    const twins = `${instance.node.path} and ${other.instance.node.path} are both named "${name}": change the name or stage of one`;
    if (stack !== otherStack && environment(stack) !== environment(otherStack)) continue;
    if (stack === otherStack || !Token.isUnresolved(environment(stack))) throw new SettingsError(`${twins}.`);
    const unknown = `${twins}, unless you deploy them to different accounts or regions.`;
    Annotations.of(instance).addWarningV2('canvass:twins', unknown);
  }
  instances.set(root, [...known, { name, instance }]);
}

/** CloudFormation allows 500 resources in a stack. The rest is reserved for later versions. */
const MOST_RESOURCES = 480;

const counted = new WeakSet<Stack>();

export function refuseCrowds(instance: IConstruct): void {
  const stack = Stack.of(instance);
  if (counted.has(stack)) return;
  counted.add(stack);
  const isOfStack = (part: IConstruct) => CfnResource.isCfnResource(part) && Stack.of(part) === stack;
  stack.node.addValidation({
    validate() {
      const count = stack.node.findAll().filter(isOfStack).length;
      if (count <= MOST_RESOURCES) return [];
      return [
        `${stack.node.path} has ${count} resources. CloudFormation allows 500, and above ${MOST_RESOURCES} an upgrade may not fit. Put each Canvass into its own stack, and other resources of this stack into another.`,
      ];
    },
  });
}

/** @param what with its article, such as `a bus` */
export function requireStageRegion(scope: Construct, setting: string, arn: string, what: string): void {
  if (Token.isUnresolved(arn)) return;
  const { region = '' } = Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME);
  const here = Stack.of(scope).region;
  if (Token.compareStrings(region, here) !== TokenComparison.DIFFERENT) return;
  throw new SettingsError(
    `${setting}: is in ${region}, but the stage is in ${here} and requires ${what} there.`,
  );
}
