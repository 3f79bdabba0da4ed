import { beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../bin/admin/deployment.ts';
import { DAY, HOUR } from '../../../shared/domain/duration.ts';
import { runInProcess } from '../../support/admin-cli.ts';
import { serveInTest } from '../../support/serve.ts';
import { stubAws } from '../../support/stack/aws-stand-in.ts';
import { type AccountRegion, createRegion } from '../../support/stack/stage-account.ts';

const NOW = Date.parse('2026-11-23T10:00:00Z');
const VAULT = 'arn:aws:backup:eu-west-1:210987654321:backup-vault:canvass';
const OUTPUTS: Readonly<Record<string, string>> = {
  BackupCopyVaultArn: VAULT,
  PurgeStateMachineArn: 'arn:aws:states:eu-west-1:123456789012:stateMachine:canvass-prod-purge',
};

let region: AccountRegion;
let asked: string[];

const jobAt = (State: string, ageMs: number, more: object = {}) => {
  const seconds = (NOW - ageMs) / 1_000;
  return { State, CreationDate: seconds, CompletionDate: seconds, ...more };
};

beforeEach(async () => {
  region = createRegion('eu-west-1');
  region.copyJobs = [jobAt('COMPLETED', 5 * HOUR)];
  asked = [];
  const url = await serveInTest(async (request, response) => {
    asked.push(request.url ?? '');
    expect(request.headers.authorization).toContain('/eu-west-1/backup/aws4_request');
    const reply = await region.ask('backup', '', request.url ?? '', '');
    response.writeHead(reply?.status ?? 500).end(reply?.text);
  });
  stubAws(url);
});

function check(...args: string[]) {
  const open = async () =>
    ({
      tableName: 'answers',
      erasureLogTableName: 'erasures',
      origin: { kind: 'stack', output: (name: string) => OUTPUTS[name] ?? '' },
      close: async () => undefined,
    }) as Deployment;
  return runInProcess(['backup', 'check', ...args], { open, now: () => NOW });
}

describe('backup check', () => {
  it('passes when copies of both tables have arrived', async () => {
    expect(await check()).toEqual({
      status: 0,
      stderr: '',
      stdout: [
        'well  copies to other accounts: on',
        "well  DynamoDB's advanced features: on",
        'well  copies of answers: the last copy arrived on Nov 23, 2026, 5:00 AM UTC',
        'well  copies of erasures: the last copy arrived on Nov 23, 2026, 5:00 AM UTC\n',
      ].join('\n'),
    });
    const table = 'arn:aws:dynamodb:eu-west-1:123456789012:table/answers';
    expect(asked[2]).toBe(
      `/copy-jobs/?${new URLSearchParams({ resourceArn: table, destinationVaultArn: VAULT })}`,
    );
  });

  it.each([
    [
      'no organization',
      () => (region.backup.isMember = false),
      /MISSING {2}copies to other accounts: .*belongs to no AWS Organization/,
    ],
    [
      'copies are off',
      () => (region.backup.isOn = false),
      /management account: aws backup update-global-settings/,
    ],
    [
      'no advanced features',
      () => (region.backup.isAdvanced = false),
      /aws backup update-region-settings .*DynamoDB=true/,
    ],
    ['no copy yet', () => (region.copyJobs = []), /copies of answers: no copy yet/],
    [
      'none for days',
      () => (region.copyJobs = [jobAt('COMPLETED', 3 * DAY)]),
      /MISSING {2}copies of erasures: the last copy arrived/,
    ],
    [
      'the last one failed',
      () => region.copyJobs.push(jobAt('FAILED', HOUR, { StatusMessage: 'Access denied to the vault' })),
      /the last copy arrived on Nov 23, 2026, 5:00 AM UTC; a later copy failed: Access denied to the vault/,
    ],
  ])('reports what is missing: %s', async (_what, happens, says) => {
    happens();
    const { status, stdout, stderr } = await check();
    expect(stdout).toMatch(says);
    expect(stderr).toMatch(/^error: Backups are not copied to the other account: /);
    expect(status).toBe(1);
  });

  it('checks the requirements, and no copies, before `backup` is set', async () => {
    expect((await check('--copy-to-vault', VAULT)).status).toBe(0);
    expect(asked).toEqual(['/global-settings', '/account-settings']);
  });
});
