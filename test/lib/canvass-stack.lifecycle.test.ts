/**
 * The life of every stage in the stand-in account, from its real templates: made, changed, rolled back when a step fails,
 * upgraded from each recorded state and back, and deleted.
 */

import { describe, expect, it } from 'vitest';
import { StandInAccount } from '../support/account/stand-in-account.ts';
import type { TemplateText } from '../support/stack/resolved-template.ts';
import { REGION, type StackOfStage, stacksOf } from '../support/stack/stage-place.ts';
import { EVERYTHING, STAGES } from '../support/stack/stages.ts';
import { recordedStacks } from '../support/upgrade/recorded-template.ts';

function accountOf(stage: object): { readonly account: StandInAccount; readonly stacks: readonly Own[] } {
  const stacks = [...stacksOf(stage)].map(([name, stack]) => ({ name, ...stack }));
  return { account: new StandInAccount(), stacks };
}
type Own = StackOfStage & { readonly name: string };

const deploy = (account: StandInAccount, { name, region }: Own, template: TemplateText) =>
  account.deploy(name, { template }, region);

const lastOf = ({ Resources }: TemplateText): string => Object.keys(Resources).at(-1) ?? '';

/** What is left of a stack when it is gone. */
const KEPT = /^AWS::(DynamoDB::Table|SecretsManager::Secret|S3::Bucket|Backup::BackupVault)$/;

describe.each(Object.entries(STAGES))('a stage: %s', (_what, stage) => {
  it('is made, and deleted; data and secrets stay', () => {
    const { account, stacks } = accountOf(stage);
    for (const own of stacks) {
      const made = deploy(account, own, own.template);
      expect([made.status, made.events]).toEqual(['CREATE_COMPLETE', []]);
      expect(account.propose(own.name, { template: own.template }, own.region)).toEqual([]);
    }
    for (const { name } of [...stacks].reverse()) {
      const left = account.remove(name).filter(({ status }) => status === 'DELETE_SKIPPED');
      expect(account.stacks.has(name)).toBe(false);
      for (const { type } of left) expect(type).toMatch(KEPT);
    }
  });

  it('is what a plain one becomes, and rolled back where that fails', () => {
    const { account, stacks } = accountOf(stage);
    const [own] = stacks as [Own];
    const [plain] = accountOf({}).stacks as [Own];
    deploy(account, plain, plain.template);
    const changes = account.propose(own.name, { template: own.template }, own.region);
    account.failAt(changes.filter(({ change }) => change !== 'delete').at(-1)?.id ?? '');
    const failed = deploy(account, own, own.template);
    expect(failed.status).toBe(changes.length === 0 ? 'UPDATE_COMPLETE' : 'UPDATE_ROLLBACK_COMPLETE');
    const changed = deploy(account, own, own.template);
    expect([changed.status, changed.deployed.template]).toEqual(['UPDATE_COMPLETE', own.template]);
  });

  it('that fails at its last resource is rolled back whole, and can be made anew after it was deleted', () => {
    const { account, stacks } = accountOf(stage);
    for (const own of stacks) {
      account.failAt(lastOf(own.template));
      const failed = deploy(account, own, own.template);
      expect([failed.status, failed.events]).toEqual([
        'ROLLBACK_COMPLETE',
        [expect.stringContaining('Internal')],
      ]);
      expect(() => deploy(account, own, own.template)).toThrow('ROLLBACK_COMPLETE');
      account.remove(own.name);
      const made = deploy(account, own, own.template);
      expect([made.status, made.events.slice(1)]).toEqual(['CREATE_COMPLETE', []]);
    }
  });
});

describe.each(['6cf917c', '043cd87'])('from %s', (state) => {
  it.each(
    recordedStacks(state).map(
      ({ stage, name, settings, template }) => [stage, name, settings, template] as const,
    ),
  )(
    'a stage, %s: %s is upgraded, rolled back where a step fails, taken back, upgraded again and deleted',
    (_stage, name, settings, before) => {
      const own = accountOf(settings).stacks.find((each) => each.name === name);
      if (own === undefined) throw new Error(`there is no ${name} any more`);
      const now = own.template;
      const account = new StandInAccount();
      expect(deploy(account, own, before).status).toBe('CREATE_COMPLETE');
      for (const [from, to] of [
        [before, now],
        [now, before],
        [before, now],
      ] as const) {
        const changes = account.propose(name, { template: to }, own.region);
        account.failAt(changes.filter(({ change }) => change !== 'delete').at(-1)?.id ?? '');
        const failed = deploy(account, own, to);
        expect([failed.status, failed.events.splice(0), failed.deployed.template]).toEqual([
          'UPDATE_ROLLBACK_COMPLETE',
          [expect.stringContaining('Internal Failure')],
          from,
        ]);
        const changed = deploy(account, own, to);
        expect([changed.status, changed.events, changed.deployed.template]).toEqual([
          'UPDATE_COMPLETE',
          [],
          to,
        ]);
      }
      const left = account.remove(name).filter(({ status }) => status === 'DELETE_SKIPPED');
      expect(account.stacks.has(name)).toBe(false);
      for (const { type } of left) expect(type).toMatch(KEPT);
    },
  );
});

it('a deployment takes a restored table, and leaves its own in the account (docs/operations.md, "Restore")', () => {
  const { account, stacks } = accountOf({});
  const [plain] = stacks as [Own];
  deploy(account, plain, plain.template);
  const tableStreamArn = `arn:aws:dynamodb:${REGION}:123456789012:table/restored/stream/2026-11-21T10:00:00.000`;
  const [restored] = accountOf({ existing: { tableStreamArn } }).stacks as [Own];
  const meant = { template: restored.template, parameters: { Data: 'tableStreamArn' } };
  const { status, events, resources } = account.deploy(plain.name, meant, REGION);
  expect([status, events]).toEqual(['UPDATE_COMPLETE', []]);
  const gone = [...resources.values()].filter((each) => /^DELETE_/.test(each.status));
  const data = gone.filter(({ type }) => KEPT.test(type));
  expect(data.map(({ type, status: left }) => [type, left])).toEqual([
    ['AWS::DynamoDB::Table', 'DELETE_SKIPPED'],
  ]);
});

describe('the account refuses', () => {
  const plain = () => accountOf({});

  it('a template whose values are none, before it changes anything', () => {
    const { account, stacks } = plain();
    const [own] = stacks as [Own];
    const [id, resource] = Object.entries(own.template.Resources).find(
      ([, { Type }]) => Type === 'AWS::Logs::LogGroup',
    ) as [string, TemplateText['Resources'][string]];
    const Properties = { ...resource.Properties, RetentionInDays: 8 };
    const template = {
      ...own.template,
      Resources: { ...own.template.Resources, [id]: { ...resource, Properties } },
    };
    expect(() => deploy(account, own, template)).toThrow(`${id}: RetentionInDays: 8 is not one of`);
    expect(account.stacks.size).toBe(0);
  });

  it('a second stack whose names are taken', () => {
    const account = new StandInAccount();
    const [own] = plain().stacks as [Own];
    deploy(account, own, own.template);
    const other = account.deploy('another', { template: own.template }, REGION);
    expect(other.status).toBe('ROLLBACK_COMPLETE');
    expect(other.events).toEqual([expect.stringContaining('already exists')]);
  });
});

describe('a webhook’s secret that was changed', () => {
  const webhooks = (more: object = {}) => ({
    events: {},
    webhooks: [{ url: 'https://hooks.example.com/a', secretName: 'hook', ...more }],
  });
  const NEW = '8a7b6c5d-1234-4321-abcd-1234567890ab';

  it('is brought by a deployment that names its version, and by no other', () => {
    const { account } = accountOf(webhooks());
    const sent = (settings: object) => {
      const [own] = accountOf(settings).stacks as [Own];
      deploy(account, own, own.template);
      return [...account.givenTo(own.name).values()].flat();
    };
    account.putSecret('hook', 'first', 'old');
    expect(sent(webhooks())).toEqual(['old']);
    account.putSecret('hook', NEW, 'new');
    expect(sent(webhooks())).toEqual(['old']);
    expect(sent(webhooks({ secretVersion: NEW }))).toEqual(['new']);
  });
});

it('everything at once is more resources than one page of a listing has, and fewer than a stack may have', () => {
  const { account, stacks } = accountOf(EVERYTHING);
  const [own] = stacks as [Own];
  const { resources } = deploy(account, own, own.template);
  expect(resources.size).toBeGreaterThan(200);
  expect(resources.size).toBeLessThanOrEqual(480);
});
