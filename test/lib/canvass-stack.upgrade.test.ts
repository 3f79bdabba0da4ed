/**
 * Upgrades from each recorded release to the next, and rolls back. Resources that hold data or have a public address
 * are neither replaced nor removed.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { causesReplacement } from '../support/stack/cloudformation-schema.ts';
import {
  type ResolvedResource,
  type Resources,
  resolveTemplate,
  type TemplateText,
} from '../support/stack/resolved-template.ts';
import { changesBetween } from '../support/stack/stack-update.ts';
import { failuresDuring } from '../support/stack/stack-walk.ts';
import { EVERYTHING } from '../support/stack/stages.ts';
import { stacksOf, templatesWith } from '../support/stack/synthesised-stack.ts';
import { type RecordedStack, recordedStacks } from '../support/upgrade/recorded-template.ts';

/** Resources that hold data or have a public address. */
const KEPT = [
  'ApiGatewayV2::Api',
  'ApiGatewayV2::DomainName',
  'Backup::BackupVault',
  'CloudFront::Distribution',
  'DynamoDB::Table',
  'Lambda::EventSourceMapping',
  'Logs::LogGroup',
  'S3::Bucket',
  'SNS::Subscription',
  'SNS::Topic',
  'SQS::Queue',
  'SecretsManager::Secret',
  'StepFunctions::StateMachine',
].map((type) => `AWS::${type}`);

/**
 * Properties whose changes replace no resource but still lose data or fail: a secret is generated again, or a shorter
 * retention deletes log lines. One update can add or remove one index of a table; time to live can change once an hour.
 */
const WATCHED: Readonly<Record<string, readonly string[]>> = {
  'AWS::SecretsManager::Secret': ['Name', 'GenerateSecretString', 'SecretString'],
  'AWS::DynamoDB::Table': ['GlobalSecondaryIndexes', 'StreamSpecification', 'TimeToLiveSpecification'],
  'AWS::Logs::LogGroup': ['RetentionInDays'],
};

/** A stage on 043cd87 must upgrade to 4ba5c62c first. */
const STEPS = [
  ['043cd87', '4ba5c62c'],
  ['4ba5c62c', undefined],
] as const;

/** Allowed changes, which lose nothing: the table gets `by_contact`, and a test below checks which indexes stay. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  '043cd87': ['DataTableFDBAD0F2.GlobalSecondaryIndexes'],
};

/**
 * A name that must be unique among resources of its type in an account and region. For a subscription, its endpoint.
 */
function nameOf({ type, properties }: ResolvedResource): string | undefined {
  if (type === 'AWS::SNS::Subscription') return `${type} ${properties.TopicArn} ${properties.Endpoint}`;
  if (type === 'AWS::ApiGatewayV2::Route') return `${type} ${properties.RouteKey}`;
  // Names of aliases are unique only within a function.
  const own = type === 'AWS::Lambda::Alias' ? undefined : properties.Name;
  const name = properties[`${type.split('::')[2]}Name`] ?? own;
  return typeof name !== 'string' || name.includes('<') ? undefined : `${type} ${name}`;
}

/** A stack of the next recorded release or of the current one. */
function stackAfter(
  to: string | undefined,
  { stage, settings, name }: Pick<RecordedStack, 'stage' | 'settings' | 'name'>,
): { readonly template: TemplateText; readonly region: string } {
  const now = stacksOf(settings).get(name);
  const next =
    to === undefined ? now : recordedStacks(to).find((each) => each.stage === stage && each.name === name);
  if (now === undefined || next === undefined) throw new Error(`there is no ${name} any more`);
  return { template: next.template, region: now.region };
}

/** Changes that lose data or addresses. */
function lossesBetween(before: Resources, after: Resources): readonly string[] {
  return changesBetween(before, after)
    .filter(({ type, change }) => KEPT.includes(type) && change !== 'create')
    .flatMap(({ id, type, change, properties }) => {
      if (change === 'delete' || after.get(id)?.type !== before.get(id)?.type) return [`${id} is gone`];
      return properties
        .filter((name) => causesReplacement(type, name) || WATCHED[type]?.includes(name))
        .map((name) => `${id}.${name}`);
    });
}

/** Alarms by name, and dashboards. */
const watchersOf = ({ Resources }: TemplateText): readonly unknown[] =>
  Object.values(Resources).flatMap(({ Type, Properties }) => {
    if (Type === 'AWS::CloudWatch::Dashboard') return [Type];
    return Type === 'AWS::CloudWatch::Alarm' ? [Properties?.AlarmName] : [];
  });

describe.each(STEPS)('from %s to %s', (state, to) => {
  const updates = recordedStacks(state).map((recorded) => {
    const { template, region } = stackAfter(to, recorded);
    const old = resolveTemplate(recorded.template, {}, region);
    return { ...recorded, old, now: resolveTemplate(template, {}, region) };
  });

  describe.each(updates)('a stage, $stage: $name', ({ old, now }) => {
    it('keeps resources that hold data or have a known address, and every secret with its name and value', () => {
      expect(lossesBetween(old, now).filter((loss) => MEANT[state]?.includes(loss) !== true)).toEqual([]);
    });

    it('detects a resource that is dropped or replaced', () => {
      const kept = [...old].filter(([id, { type }]) => KEPT.includes(type) && now.has(id));
      expect(kept.length).toBeGreaterThan(1);
      for (const [id, { type }] of kept) {
        const without = new Map([...now].filter(([other]) => other !== id));
        expect(lossesBetween(old, without)).toContain(`${id} is gone`);
        const property = Object.keys(now.get(id)?.properties).find((name) => causesReplacement(type, name));
        if (property === undefined) continue;
        const resource = now.get(id) as ResolvedResource;
        const other = { ...resource, properties: { ...resource.properties, [property]: 'another' } };
        expect(lossesBetween(old, new Map(now).set(id, other))).toContain(`${id}.${property}`);
      }
    });

    it('adds at most one index to a table and keeps the others', () => {
      const indexesOf = (resource: ResolvedResource | undefined): unknown[] =>
        [resource?.properties.GlobalSecondaryIndexes ?? []].flat();
      for (const [id, table] of old) {
        if (table.type !== 'AWS::DynamoDB::Table') continue;
        const indexes = indexesOf(now.get(id));
        expect(indexes).toEqual(expect.arrayContaining(indexesOf(table)));
        expect(indexes.length - indexesOf(table).length).toBeLessThanOrEqual(1);
      }
    });

    it('creates no resource with a name that another one still has, moved or replaced, also on the way back', () => {
      const taken = [
        [old, now],
        [now, old],
      ].flatMap(([before, after]: readonly Resources[]) => {
        const ids = new Map([...(after ?? [])].map(([id, resource]) => [nameOf(resource), id]));
        const changes = changesBetween(before ?? new Map(), after ?? new Map());
        const replaced = changes.flatMap(({ id, change }) => (change === 'replace' ? id : []));
        return [...(before ?? [])].filter(([id, resource]) => {
          const name = nameOf(resource);
          return name !== undefined && ids.has(name) && (ids.get(name) !== id || replaced.includes(id));
        });
      });
      expect(taken.map(([id]) => id)).toEqual([]);
    });
  });
});

describe.each(recordedStacks('4ba5c62c').filter(({ name }) => !name.endsWith('-edge')))(
  'while 4ba5c62c is updated, $stage',
  ({ stage, settings, name, template }) => {
    const old = resolveTemplate(template);
    const now = resolveTemplate(stackAfter(undefined, { stage, settings, name }).template);

    it('every route can call its function, and every function has the permissions of its release', () => {
      expect(failuresDuring(old, now)).toEqual([]);
    });

    it('back, functions have their permissions, but a route may be called before its permission exists', () => {
      const failures = failuresDuring(now, old);
      expect(failures.length).toBeGreaterThan(20);
      expect(failures.filter((failure) => !failure.endsWith(' cannot call its function'))).toEqual([]);
    });

    it('detects a role that loses its grants, and one that gets them later', () => {
      const [caller = ''] = [...now.keys()].filter((id) => id.startsWith('ApiCaller'));
      const { Policies: _none, ...properties } = now.get(caller)?.properties ?? {};
      const without = new Map(now).set(caller, { ...(now.get(caller) as ResolvedResource), properties });
      expect(failuresDuring(now, without)).toContain('POST /v1/responses cannot call its function');
      expect(failuresDuring(without, now)).toContain('POST /v1/responses cannot call its function');
    });
  },
);

it('keeps every alarm and the dashboard of 043cd87 with alarms: all and dashboard: true', () => {
  const kept = recordedStacks('043cd87').flatMap(({ stage, name, template: before }) => {
    const { template: after } = stackAfter(undefined, { stage, settings: EVERYTHING, name });
    const watchers = watchersOf(before);
    expect(watchersOf(after)).toEqual(expect.arrayContaining([...watchers]));
    return watchers;
  });
  expect(kept.length).toBeGreaterThan(20);
});

it('keeps the templates that stages have without the feature flags in cdk.json', () => {
  const { stages: _stages, ...flags } = JSON.parse(readFileSync('cdk.json', 'utf8')).context;
  // Stages were deployed with this flag, which is part of the ids of function versions.
  const deployed = { '@aws-cdk/aws-lambda:recognizeLayerVersion': true };
  expect(templatesWith(flags, EVERYTHING)).toEqual(templatesWith(deployed, EVERYTHING));
});
