import { Annotations, Stack, Token } from 'aws-cdk-lib';
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
