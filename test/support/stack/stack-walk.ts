/** Finds failures that a stack update can cause. CloudFormation changes resources in any order that dependencies allow. */

import { isDeepStrictEqual } from 'node:util';
import { type ResolvedResource, type Resources, referencesIn } from './resolved-template.ts';

function dependenciesOf(resources: Resources): (id: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return function all(id): ReadonlySet<string> {
    const found = known.get(id);
    if (found !== undefined) return found;
    const { properties, dependsOn = [] } = resources.get(id) ?? {};
    const direct = [...referencesIn(properties), ...dependsOn].filter((each) => resources.has(each));
    const reached = new Set(direct.flatMap((each) => [each, ...all(each)]));
    known.set(id, reached);
    return reached;
  };
}

interface Granting {
  readonly PolicyDocument: {
    readonly Statement: readonly { Action: string | string[]; Resource: string | string[] }[];
  };
}

function grantsOf(state: Resources, role: string): ReadonlySet<string> {
  const attached = [...state.values()]
    .filter(({ type, properties }) => type === 'AWS::IAM::Policy' && properties.Roles.includes(`<${role}>`))
    .map(({ properties }): Granting => properties);
  const inline: readonly Granting[] = state.get(role)?.properties.Policies ?? [];
  const grants = [...inline, ...attached].flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.flatMap(({ Action, Resource }) =>
      [Action].flat().flatMap((action) => [Resource].flat().map((resource) => `${action} on ${resource}`)),
    ),
  );
  return new Set(grants);
}

function mayCall(state: Resources, integration: ResolvedResource | undefined): boolean {
  if (integration === undefined) return false;
  const { IntegrationUri: uri, CredentialsArn: credentials } = integration.properties;
  const [caller] = referencesIn(credentials);
  if (caller !== undefined) return grantsOf(state, caller).has(`lambda:InvokeFunction on ${uri}`);
  return [...state.values()].some(
    ({ type, properties }) =>
      type === 'AWS::Lambda::Permission' &&
      properties.Principal === 'apigateway.amazonaws.com' &&
      properties.FunctionName === uri,
  );
}

function failuresIn(state: Resources, before: Resources, after: Resources): string[] {
  return [...state].flatMap(([id, { type, properties }]) => {
    if (type === 'AWS::ApiGatewayV2::Route') {
      const [integration = ''] = referencesIn(properties.Target);
      const isFine = mayCall(state, state.get(integration));
      return isFine ? [] : [`${properties.RouteKey} cannot call its function`];
    }
    if (type !== 'AWS::Lambda::Function') return [];
    const release = state.get(id) === after.get(id) ? after : before;
    const [role = ''] = referencesIn(properties.Role);
    const granted = grantsOf(state, role);
    const missing = [...grantsOf(release, role)].filter((grant) => !granted.has(grant));
    return missing.map((grant) => `${id} has no ${grant}`);
  });
}

/**
 * Failures that a request can meet during an update. For each changed resource, looks at the earliest state in which it
 * is new, and at the latest in which it is old. Deletions come last (CloudFormation, "Update behaviors of stack
 * resources").
 */
export function failuresDuring(before: Resources, after: Resources): readonly string[] {
  const dependencies = dependenciesOf(after);
  const changed = [...after.keys()].filter((id) => !isDeepStrictEqual(before.get(id), after.get(id)));
  const stateWith = (isNew: (id: string) => boolean): Resources =>
    new Map([...before, ...[...after].filter(([id]) => isNew(id))]);
  const states = changed.flatMap((id) => {
    const first = dependencies(id);
    return [
      stateWith((each) => each === id || first.has(each)),
      stateWith((each) => each !== id && !dependencies(each).has(id)),
    ];
  });
  return [...new Set([...states, after].flatMap((state) => failuresIn(state, before, after)))];
}
