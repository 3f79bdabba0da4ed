import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { SettingsError } from '../../../lib/settings/settings-error.ts';

const NAMES = ['bootstrap', 'submit-response'];
const read = (stages: unknown, stage?: unknown) => readSettings({ stage, stages }, NAMES);

describe('settings', () => {
  it('have defaults that never lose data', () => {
    expect(read({ prod: {} })).toEqual({
      stage: 'prod',
      name: 'canvass',
      removalPolicy: 'retain',
      secretNames: 'generated',
      keyAbbreviation: 'svc',
      indexShards: 16,
      defaultAddressRate: 20,
      logRetentionDays: 30,
      alarms: 'essential',
      dashboard: false,
      runbookUrl: 'docs/operations.md',
      tags: {},
      deployment: 'all-at-once',
      tracing: false,
      throttles: {},
      concurrency: {},
      webhooks: [],
    });
  });

  it('belong to the requested stage', () => {
    const stages = { prod: {}, dev: { removalPolicy: 'destroy', keyAbbreviation: 'acme' } };
    expect(read(stages, 'dev')).toMatchObject({
      stage: 'dev',
      removalPolicy: 'destroy',
      keyAbbreviation: 'acme',
    });
  });

  it('accept an address for alarms together with that of their runbook', () => {
    const told = { alarmEmail: 'ops@example.com', runbookUrl: 'https://wiki.example.com/canvass' };
    expect(read({ prod: told })).toMatchObject(told);
  });

  const complaint = (stages: unknown, stage?: unknown): string => {
    try {
      read(stages, stage);
      return 'none';
    } catch (error) {
      expect(error).toBeInstanceOf(SettingsError);
      return (error as Error).message;
    }
  };

  it.each([
    ['no stages', undefined, undefined, /no stage "prod".*Stages: none/],
    ['an unknown stage', { prod: {} }, 'prdo', /no stage "prdo".*Stages: prod/],
    ['a stage that an object inherits', { prod: {} }, 'constructor', /no stage "constructor"/],
    ['a stage name no stack can have', { Prod_1: {} }, 'Prod_1', /stages\.Prod_1/],
    ['an unknown setting', { prod: { removal: 'retain' } }, undefined, /stages\.prod: .*removal/],
    ['a removal policy', { prod: { removalPolicy: 'keep' } }, undefined, /stages\.prod\.removalPolicy: /],
    ['an abbreviation', { prod: { keyAbbreviation: 'a_b' } }, undefined, /keyAbbreviation: must match/],
    ['no shards', { prod: { indexShards: 0 } }, undefined, /stages\.prod\.indexShards: /],
    ['a negative rate', { prod: { defaultAddressRate: -1 } }, undefined, /defaultAddressRate: /],
    ['a retention that cannot be had', { prod: { logRetentionDays: 8 } }, undefined, /logRetentionDays: /],
    [
      'alarm mails without a link to the runbook',
      { prod: { alarmEmail: 'ops@example.com' } },
      undefined,
      /stages\.prod\.runbookUrl: must be an https address/,
    ],
    [
      'a key’s alias',
      { prod: { kmsKeyArn: 'alias/canvass' } },
      undefined,
      /kmsKeyArn: must be the ARN of a key/,
    ],
    ['a boundary’s name', { prod: { permissionsBoundaryArn: 'b' } }, undefined, /permissionsBoundaryArn: /],
    ['no level of alarms', { prod: { alarms: 'none' } }, undefined, /stages\.prod\.alarms: /],
    ['no kind of deployment', { prod: { deployment: 'blue' } }, undefined, /stages\.prod\.deployment: /],
    [
      'a throttle of no route',
      { prod: { throttles: { x: { rate: 1, burst: 1 } } } },
      undefined,
      /unknown routes: x/,
    ],
    [
      'a throttle that lets nothing in',
      { prod: { throttles: { bootstrap: { rate: 0, burst: 1 } } } },
      undefined,
      /throttles\.bootstrap\.rate: /,
    ],
  ])('report what is wrong: %s', (_what, stages, stage, message) => {
    expect(complaint(stages, stage)).toMatch(message);
  });
});
