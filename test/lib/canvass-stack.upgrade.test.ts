/**
 * From each recorded state to this one, and back: nothing that holds data, or is known by its address, is replaced or
 * dropped.
 */

import { describe, expect, it } from 'vitest';
import { nameOf } from '../support/account/resource-name.ts';
import { causesReplacement } from '../support/stack/cloudformation-schema.ts';
import {
  type ResolvedResource,
  resolveTemplate,
  type TemplateText,
} from '../support/stack/resolved-template.ts';
import { changesBetween } from '../support/stack/stack-update.ts';
import { stacksOf } from '../support/stack/stage-place.ts';
import { recordedStacks } from '../support/upgrade/recorded-template.ts';

/** What is lost, or has another address, with another resource. */
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
 * What replaces nothing, and loses data all the same: a secret is generated anew where this changes, and a table makes
 * or drops one index an update and changes its time to live once an hour; a shorter retention is a deletion.
 */
const WATCHED: Readonly<Record<string, readonly string[]>> = {
  'AWS::SecretsManager::Secret': ['GenerateSecretString', 'SecretString'],
  'AWS::DynamoDB::Table': ['GlobalSecondaryIndexes', 'StreamSpecification', 'TimeToLiveSpecification'],
  'AWS::Logs::LogGroup': ['RetentionInDays'],
};

/** What changed all the same, and why that is well: nobody had deployed the first of these states but its makers. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  '6cf917c': [
    // Its name ended as Secrets Manager's own suffix does; functions and CloudFront took the new one together.
    'ApiEdgeSecretC9AA679C.Name',
    // Entries expire: a table changes its time to live once an hour, so a rollback within it skips the table.
    'ErasuresTableD2BCF02B.TimeToLiveSpecification',
    // Histories are folded by the one consumer of the stream, of another name; lines of the two before went.
    'HistoriesStream71105C9A is gone',
    'AnswerscountanswersLog496DE9CC is gone',
    'HistoriesfoldhistoriesLog3AC70459 is gone',
    'DataTableFDBAD0F2.GlobalSecondaryIndexes',
  ],
  // An index is added without another table; a test below holds which.
  '043cd87': ['DataTableFDBAD0F2.GlobalSecondaryIndexes'],
};

type Resources = ReadonlyMap<string, ResolvedResource>;

/** Losses of what is kept. */
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

describe.each(Object.keys(MEANT))('from %s', (state) => {
  const recorded = recordedStacks(state);
  const each = recorded.map(({ stage, name }, index) => [stage, name, index] as const);
  const resolved = recorded.map(({ settings, name, template }) => {
    const after = stacksOf(settings).get(name);
    if (after === undefined) throw new Error(`there is no ${name} any more`);
    const old = resolveTemplate(template, {}, after.region);
    return { old, now: resolveTemplate(after.template, {}, after.region) };
  });
  const at = (index: number) => resolved[index] as (typeof resolved)[number];

  describe.each(each)('a stage, %s: %s', (_stage, _name, index) => {
    it('keeps what holds data or is known by its address, as it was made', () => {
      const { old: then, now } = at(index);
      const losses = lossesBetween(then, now);
      expect(losses.filter((loss) => MEANT[state]?.includes(loss) !== true)).toEqual([]);
    });

    it('would be told of each, were it dropped or another', () => {
      const { old: then, now } = at(index);
      const kept = [...then].filter(([id, { type }]) => KEPT.includes(type) && now.has(id));
      expect(kept.length).toBeGreaterThan(1);
      for (const [id, { type }] of kept) {
        const without = new Map([...now].filter(([other]) => other !== id));
        expect(lossesBetween(then, without)).toContain(`${id} is gone`);
        const property = Object.keys(now.get(id)?.properties).find((name) => causesReplacement(type, name));
        if (property === undefined) continue;
        const resource = now.get(id) as ResolvedResource;
        const other = { ...resource, properties: { ...resource.properties, [property]: 'another' } };
        expect(lossesBetween(then, new Map(now).set(id, other))).toContain(`${id}.${property}`);
      }
    });

    it('makes one index at most, beside those that there are', () => {
      const { old: then, now } = at(index);
      const indexesOf = (resource: ResolvedResource | undefined): unknown[] =>
        [resource?.properties.GlobalSecondaryIndexes ?? []].flat();
      for (const [id, table] of then) {
        if (table.type !== 'AWS::DynamoDB::Table') continue;
        const indexes = indexesOf(now.get(id));
        expect(indexes).toEqual(expect.arrayContaining(indexesOf(table)));
        expect(indexes.length - indexesOf(table).length).toBeLessThanOrEqual(1);
      }
    });

    it('moves no name from one resource to another: the new one is made before the old one goes', () => {
      const { old: then, now } = at(index);
      const moved = (before: Resources, after: Resources) => {
        const names = new Map([...after].map(([id, resource]) => [nameOf(resource), id]));
        return [...before].filter(([id, resource]) => {
          const name = nameOf(resource);
          return name !== undefined && names.has(name) && names.get(name) !== id;
        });
      };
      expect([...moved(then, now), ...moved(now, then)].map(([id]) => id)).toEqual([]);
    });

    it('replaces nothing whose name would be taken', () => {
      const { old: then, now } = at(index);
      const changes = [...changesBetween(then, now), ...changesBetween(now, then)];
      const replaced = changes.filter(({ change }) => change === 'replace');
      const taken = replaced.filter(({ id }) => {
        const [old, other] = [then.get(id), now.get(id)];
        const name = old && nameOf(old);
        return name !== undefined && other !== undefined && nameOf(other) === name;
      });
      expect(taken).toEqual([]);
    });
  });

  it('the upgrade makes, changes and deletes', () => {
    const kinds = each.flatMap(([, , index]) => {
      const { old, now } = at(index);
      return changesBetween(old, now).map(({ change }) => change);
    });
    expect([...new Set(kinds)]).toEqual(expect.arrayContaining(['create', 'update', 'delete']));
  });
});

it('all alarms and the dashboard, asked for, are those that every stage had before they were a choice', () => {
  const kept = recordedStacks('043cd87').flatMap(({ settings, name, template: before }) => {
    const after = stacksOf({ ...settings, alarms: 'all', dashboard: true }).get(name)?.template;
    if (after === undefined) throw new Error(`there is no ${name} any more`);
    const watchers = watchersOf(before);
    expect(watchersOf(after)).toEqual(expect.arrayContaining([...watchers]));
    return watchers;
  });
  expect(kept.length).toBeGreaterThan(20);
});
