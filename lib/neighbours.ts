import { Annotations, CfnResource, Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { type DeploymentSettings, metricsNamespace } from './settings/settings.ts';
import { SettingsError } from './settings/settings-error.ts';

const instances = new WeakMap<IConstruct, { readonly name: string; readonly instance: IConstruct }[]>();

const environment = (stack: Stack): string => `${stack.account}/${stack.region}`;

/**
 * Two deployments with the same name and stage would share names of APIs, logs, alarms, dashboards and metrics. A
 * warning if the app does not specify account and region.
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

/** CloudFormation's quota is 500. The rest is reserved for later versions. */
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
