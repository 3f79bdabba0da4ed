/**
 * From each recorded state to this one: by the properties whose change has CloudFormation make another resource
 * ("Update requires: Replacement"), nothing that holds data, or is known by its address, is replaced or dropped.
 */

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aTemplate } from '../support/stack/synthesised-stack.ts';
import { type RecordedResource, recordTemplate, STAGES } from '../support/upgrade/recorded-template.ts';

/** What is lost, or has another address, with another resource. */
const KEPT = [
  'ApiGatewayV2::Api',
  'ApiGatewayV2::DomainName',
  'DynamoDB::Table',
  'Lambda::EventSourceMapping',
  'SNS::Topic',
  'SQS::Queue',
  'SecretsManager::Secret',
  'StepFunctions::StateMachine',
].map((type) => `AWS::${type}`);

/** What changed all the same, and why that is well: nobody had deployed the first of these states but its makers. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  '6cf917c': [
    // Its name ended as Secrets Manager's own suffix does; functions and CloudFront took the new one together.
    'ApiEdgeSecretC9AA679C.Name',
    // Entries expire: a table changes its time to live once an hour, so a rollback within it skips the table.
    'ErasuresTableD2BCF02B.TimeToLiveSpecification',
    // Histories are folded by the one consumer of the stream.
    'HistoriesStream71105C9A is gone',
    'DataTableFDBAD0F2.GlobalSecondaryIndexes',
  ],
  // An index is added without another table; a test below holds which.
  '043cd87': ['DataTableFDBAD0F2.GlobalSecondaryIndexes'],
};

const recordOf = (state: string): readonly RecordedResource[] =>
  brotliDecompressSync(readFileSync(`test/support/upgrade/templates-${state}.jsonl.br`))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const now = (stage: string) =>
  new Map(
    recordTemplate(stage, aTemplate(STAGES[stage]).toJSON().Resources).map((resource) => [
      resource.id,
      resource,
    ]),
  );

/** Names that a resource of the same type cannot have twice in an account and region. */
const nameOf = ({ type, properties }: RecordedResource): string | undefined => {
  const name = Object.entries(properties).find(([property]) => /^(\w*Name|Name)$/.test(property))?.[1];
  return typeof name === 'string' ? `${type} ${name}` : undefined;
};

function changesOf(before: RecordedResource, after: RecordedResource | undefined): readonly string[] {
  if (after?.type !== before.type) return [`${before.id} is gone`];
  const names = new Set([...Object.keys(before.properties), ...Object.keys(after.properties)]);
  return [...names]
    .filter((name) => JSON.stringify(before.properties[name]) !== JSON.stringify(after.properties[name]))
    .map((name) => `${before.id}.${name}`);
}

describe.each(Object.keys(MEANT))('from %s', (state) => {
  const then = recordOf(state);

  describe.each(Object.keys(STAGES))('a stage, %s', (stage) => {
    const before = then.filter((resource) => resource.stage === stage);
    const after = now(stage);
    it('keeps what holds data or is known by its address, as it was made', () => {
      const kept = before.filter(({ type }) => KEPT.includes(type));
      expect(kept.length).toBeGreaterThan(5);
      const changes = kept.flatMap((resource) => changesOf(resource, after.get(resource.id)));
      expect(changes.filter((change) => MEANT[state]?.includes(change) !== true)).toEqual([]);
    });

    it('makes one index at most, beside those that there are', () => {
      const indexesOf = (resource: RecordedResource | undefined): unknown[] =>
        [resource?.properties.GlobalSecondaryIndexes ?? []].flat();
      for (const table of before.filter(({ type }) => type === 'AWS::DynamoDB::Table')) {
        const indexes = indexesOf(after.get(table.id));
        expect(indexes).toEqual(expect.arrayContaining(indexesOf(table)));
        expect(indexes.length - indexesOf(table).length).toBeLessThanOrEqual(1);
      }
    });

    it('moves no name from one resource to another: the new one is made before the old one goes', () => {
      const names = new Map([...after.values()].map((resource) => [nameOf(resource), resource.id]));
      const moved = before.filter((resource) => {
        const name = nameOf(resource);
        return name !== undefined && names.has(name) && names.get(name) !== resource.id;
      });
      expect(moved.map(({ id }) => id)).toEqual([]);
    });

    it('replaces nothing whose name would be taken', () => {
      const replaced = before.flatMap((resource) => {
        const later = after.get(resource.id);
        const name = nameOf(resource);
        if (later === undefined || name === undefined || nameOf(later) !== name) return [];
        return changesOf(resource, later);
      });
      expect(replaced).toEqual([]);
    });
  });
});
