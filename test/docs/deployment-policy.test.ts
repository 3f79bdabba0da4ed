/** docs/iam.md: CloudFormation may do what the stages' templates need, on resources of the stage's name. */

import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { CALLS_BY_TYPE } from '../support/stack/cloudformation-permissions.ts';
import { policyIn, type Statement } from '../support/stack/policy.ts';
import { edgeStacks } from '../support/stack/synthesised-edge.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';

const DOCUMENT = readFileSync('docs/iam.md', 'utf8');
const stage = policyIn(DOCUMENT, 'CloudFormation', {});
const more = policyIn(DOCUMENT, 'What a stage may add', {});

type Resources = Readonly<
  Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
>;

let plain: Resources;
let everything: Resources;
beforeAll(() => {
  plain = aTemplate().toJSON().Resources;
  const { main, edge } = edgeStacks();
  everything = {
    ...aTemplate({
      deployment: 'canary',
      scoreAdapter: {},
      events: {},
      webhooks: [{ url: 'https://example.com', secretName: 'hook' }],
    }).toJSON().Resources,
    ...Template.fromStack(main).toJSON().Resources,
    ...Template.fromStack(edge).toJSON().Resources,
  };
});

const typesOf = (resources: Resources) =>
  [...new Set(Object.values(resources).map(({ Type }) => Type))].sort();
const granted = (statements: readonly Statement[]) => new Set(statements.flatMap(({ Action }) => Action));
const missing = (types: readonly string[], statements: readonly Statement[]) =>
  types
    .flatMap((type) => CALLS_BY_TYPE[type] ?? [`nothing known of ${type}`])
    .filter((action) => !granted(statements).has(action));

describe('CloudFormation’s policy', () => {
  it('allows a plain stage what its resources need', () => {
    expect(missing(typesOf(plain), stage)).toEqual([]);
  });

  it('with what a stage may add, every setting', () => {
    expect(typesOf(everything).length).toBeGreaterThan(typesOf(plain).length);
    expect(missing(typesOf(everything), [...stage, ...more])).toEqual([]);
  });

  it('allows no service whose resources no stage has', () => {
    const used = new Set(
      typesOf(everything).flatMap((type) =>
        (CALLS_BY_TYPE[type] ?? []).map((action) => action.split(':')[0]),
      ),
    );
    // Parameters hold the version of the bootstrap, which templates ask for.
    used.add('ssm');
    const services = [...granted([...stage, ...more])].map((action) => action.split(':')[0]);
    expect(services.filter((service) => !used.has(service))).toEqual([]);
    for (const action of granted([...stage, ...more])) expect(action).not.toContain('*');
  });

  it('names resources of the stage, but where AWS knows none', () => {
    const anywhere = [...stage, ...more]
      .filter(({ Resource }) => Resource.includes('*'))
      .map(({ Sid }) => Sid);
    expect(anywhere).toEqual(['RandomSecrets', 'AccessLogs']);
  });

  it('fits the names that the stacks give', () => {
    const names = Object.values(everything).flatMap(({ Type, Properties = {} }) => {
      const { AlarmName, LogGroupName, StateMachineName, Name } = Properties;
      return [
        AlarmName,
        LogGroupName,
        StateMachineName,
        Type === 'AWS::SecretsManager::Secret' ? Name : undefined,
      ];
    });
    const own = names.filter((name) => typeof name === 'string');
    expect(own.length).toBeGreaterThan(30);
    for (const name of own) {
      expect(name).toMatch(
        /^(canvass-test-|\/canvass\/test\/|\/aws\/vendedlogs\/canvass\/test\/|aws-waf-logs-canvass-test)/,
      );
    }
    const secrets = Object.entries(everything).filter(
      ([, { Type }]) => Type === 'AWS::SecretsManager::Secret',
    );
    for (const [id, { Properties = {} }] of secrets) {
      expect(Properties.Name ?? id).toMatch(/^(Secrets|Scores|canvass-test-)/);
    }
  });

  /** IAM, quotas: characters of a managed policy, white space aside. */
  it.each([
    ['the stage', () => stage],
    ['what it may add', () => more],
  ])('is a managed policy of its size: %s', (_what, statements) => {
    expect(JSON.stringify({ Version: '2012-10-17', Statement: statements() }).length).toBeLessThan(6_144);
  });
});
