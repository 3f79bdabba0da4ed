import { Token } from 'aws-cdk-lib';
import type { CanvassProps } from '../canvass-props.ts';
import { checkSettings, checkStageName } from './read-settings.ts';
import type { DeploymentSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

const EXCLUDING = [
  ['kmsKey', 'kmsKeyArn'],
  ['permissionsBoundary', 'permissionsBoundaryArn'],
  ['alarmTopic', 'alarmEmail'],
] as const satisfies readonly (readonly [keyof CanvassProps, keyof CanvassProps])[];

const CONSTRUCTS = [
  ['alarmTopic', 'topicArn', 'Topic.fromTopicArn()'],
  ['kmsKey', 'keyArn', 'kmsKeyArn'],
  ['permissionsBoundary', 'managedPolicyArn', 'permissionsBoundaryArn'],
] as const satisfies readonly (readonly [keyof CanvassProps, string, string])[];

const CONSTRUCT_FOR: Readonly<Record<string, string>> = {
  kmsKeyArn: 'kmsKey',
  permissionsBoundaryArn: 'permissionsBoundary',
};

/** Unresolved tokens in these props are passed on to the template. */
const HANDED_ON: ReadonlySet<string> = new Set([
  'busName',
  'certificateArn',
  'copyToVaultArn',
  'hostedZoneId',
  'logGroup',
  'logStream',
  'originCertificateArn',
  'secretName',
  'tags',
  'webAclArn',
]);

/** Any other unresolved token would fail validation with a misleading error. */
function refuseTokens(value: unknown, path: string, name = ''): void {
  if (HANDED_ON.has(name)) return;
  const where = name === '' ? path : `${path}.${name}`;
  if (typeof value === 'string' && Token.isUnresolved(value)) {
    const construct = CONSTRUCT_FOR[name];
    const isOfStage = construct !== undefined && !path.includes('.');
    const instead = isOfStage ? `use ${construct}` : 'set the text itself';
    throw new SettingsError(`${where}: is known only at deployment; ${instead}.`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) refuseTokens(inner, where, key);
}

/** @throws SettingsError naming each invalid prop */
export function settingsOfProps(
  props: CanvassProps,
  path: string,
  routeNames: readonly string[],
): DeploymentSettings {
  // This is possible in plain JavaScript.
  if (typeof props !== 'object' || props === null) {
    throw new SettingsError(`${path}: requires props, at least { stage: 'prod' }.`);
  }
  const { stage, alarmTopic: _topic, kmsKey, permissionsBoundary, ...settings } = props;
  // If an ARN were accepted instead of a construct, every role would lack its boundary.
  for (const [name, attribute, instead] of CONSTRUCTS) {
    const given = props[name];
    if (given !== undefined && typeof Reflect.get(Object(given), attribute) !== 'string') {
      throw new SettingsError(`${path}.${name}: takes a construct; for an ARN use ${instead}.`);
    }
  }
  for (const [one, other] of EXCLUDING) {
    if (props[one] !== undefined && props[other] !== undefined) {
      throw new SettingsError(`${path}.${one}: excludes ${other}; set only one of them.`);
    }
  }
  refuseTokens(settings, path);
  const place = { what: 'The props of Canvass', path: [path] };
  return {
    ...checkSettings(settings, checkStageName(stage, place), place, routeNames),
    ...(kmsKey !== undefined && { kmsKeyArn: kmsKey.keyArn }),
    ...(permissionsBoundary !== undefined && {
      permissionsBoundaryArn: permissionsBoundary.managedPolicyArn,
    }),
  };
}
