import { Token } from 'aws-cdk-lib';
import type { CanvassProps } from '../canvass-props.ts';
import { checkSettings, checkStageName } from './read-settings.ts';
import type { DeploymentSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

/** Props of which one at most may be set: they say the same, or one makes no use of the other. */
const EXCLUDING = [
  ['kmsKey', 'kmsKeyArn'],
  ['permissionsBoundary', 'permissionsBoundaryArn'],
  ['alarmTopic', 'alarmEmail'],
] as const satisfies readonly (readonly [keyof CanvassProps, keyof CanvassProps])[];

/** Props that take a construct: the attribute that is read of it, and where its ARN goes. */
const CONSTRUCTS = [
  ['alarmTopic', 'topicArn', 'Topic.fromTopicArn()'],
  ['kmsKey', 'keyArn', 'kmsKeyArn'],
  ['permissionsBoundary', 'managedPolicyArn', 'permissionsBoundaryArn'],
] as const satisfies readonly (readonly [keyof CanvassProps, string, string])[];

const CONSTRUCT_FOR: Readonly<Record<string, string>> = {
  kmsKeyArn: 'kmsKey',
  permissionsBoundaryArn: 'permissionsBoundary',
};

/** Names and ARNs that the template hands on as they are. */
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

/** Any other text that only CloudFormation knows could not be checked, and would be called malformed. */
function refuseTokens(value: unknown, path: string, name = ''): void {
  if (HANDED_ON.has(name)) return;
  const where = name === '' ? path : `${path}.${name}`;
  if (typeof value === 'string' && Token.isUnresolved(value)) {
    const construct = CONSTRUCT_FOR[name];
    const isOfStage = construct !== undefined && !path.includes('.');
    const instead = isOfStage ? `use ${construct}` : 'give the text itself';
    throw new SettingsError(`${where}: is known at the deployment alone; ${instead}.`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) refuseTokens(inner, where, key);
}

/**
 * The settings of a stage out of the props of a construct, by the rules of those in cdk.json.
 * @param path of the construct
 * @throws SettingsError naming each prop that is wrong
 */
export function settingsOfProps(
  props: CanvassProps,
  path: string,
  routeNames: readonly string[],
): DeploymentSettings {
  // Plain JavaScript can leave them out.
  if (typeof props !== 'object' || props === null) {
    throw new SettingsError(`${path}: needs props, at least { stage: 'prod' }.`);
  }
  const { stage, alarmTopic: _topic, kmsKey, permissionsBoundary, ...settings } = props;
  // An ARN in a construct's place would have no ARN, and leave every role without its boundary.
  for (const [name, attribute, instead] of CONSTRUCTS) {
    const given = props[name];
    if (given !== undefined && typeof Reflect.get(Object(given), attribute) !== 'string') {
      throw new SettingsError(`${path}.${name}: takes a construct; for an ARN use ${instead}.`);
    }
  }
  for (const [one, other] of EXCLUDING) {
    if (props[one] !== undefined && props[other] !== undefined) {
      throw new SettingsError(`${path}.${one}: excludes ${other}; give one of them.`);
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
