import { Annotations, CfnResource, Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { type DeploymentSettings, metricsNamespace } from './settings/settings.ts';
import { SettingsError } from './settings/settings-error.ts';

const instances = new WeakMap<IConstruct, { readonly name: string; readonly instance: IConstruct }[]>();

const environment = (stack: Stack): string => `${stack.account}/${stack.region}`;

/**
 * Refuses a second deployment of one name and stage in an account and region: their APIs, logs, alarms, dashboards and
 * metrics would have the same names. Where the app does not say which account and region, it is a warning.
 * @throws SettingsError
 */
export function refuseTwins(instance: IConstruct, settings: DeploymentSettings): void {
  const { root } = instance.node;
  const known = instances.get(root) ?? [];
  const name = metricsNamespace(settings);
  const stack = Stack.of(instance);
  for (const other of known.filter((each) => each.name === name)) {
    const otherStack = Stack.of(other.instance);
    const twins = `${instance.node.path} and ${other.instance.node.path} are both "${name}": give one another name or stage`;
    if (stack !== otherStack && environment(stack) !== environment(otherStack)) continue;
    if (stack === otherStack || !Token.isUnresolved(environment(stack))) throw new SettingsError(`${twins}.`);
    const unknown = `${twins}, unless they are deployed to different accounts or regions.`;
    Annotations.of(instance).addWarningV2('canvass:twins', unknown);
  }
  instances.set(root, [...known, { name, instance }]);
}

/** Of the 500 that CloudFormation takes in a stack (CloudFormation, quotas); the others are for what later versions add. */
const MOST_RESOURCES = 480;

const counted = new WeakSet<Stack>();

/** Lets synthesis fail where a deployment, with what else is in its stack, leaves no room for an upgrade. */
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
        `${stack.node.path} has ${count} resources, of the 500 that CloudFormation takes; above ${MOST_RESOURCES} an upgrade may find no room. Put each Canvass into a stack of its own, and what else is in this one into another.`,
      ];
    },
  });
}
