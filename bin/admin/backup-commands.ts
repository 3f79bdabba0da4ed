/** `backup check`: whether what a stage backs up arrives in the other account, and what is missing where it does not. */

import { type Command, Option } from 'commander';
import * as z from 'zod';
import { askAsOperator } from '../../shared/data/aws/operator-access.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import { failure } from './admin-error.ts';
import type { Perform, Report } from './command.ts';
import type { Session } from './session.ts';

interface Flags {
  readonly copyToVault?: string;
}

interface Finding {
  readonly what: string;
  readonly isWell: boolean;
  /** What is so, or what to do. */
  readonly says: string;
}

/** A copy of a large table may take hours, and the next night's is not late yet. */
const LATE_MS = 2 * DAY;

const flags = z.record(z.string(), z.boolean()).default({});
const globalSettings = z.object({ GlobalSettings: z.record(z.string(), z.string()).default({}) });
const regionSettings = z.object({
  ResourceTypeOptInPreference: flags,
  ResourceTypeManagementPreference: flags,
});
const copyJobs = z.object({
  CopyJobs: z
    .array(
      z.object({
        State: z.string(),
        StatusMessage: z.string().nullish(),
        /** Seconds since the epoch. */
        CreationDate: z.number(),
        CompletionDate: z.number().nullish(),
      }),
    )
    .default([]),
});

const ask = (path: string, query: Readonly<Record<string, string>> = {}) =>
  askAsOperator('backup', path, query);

/** AWS Backup, "Creating backup copies across AWS accounts": requirements. */
async function checkOrganization(): Promise<Finding> {
  const what = 'copies to other accounts';
  const { status, body } = await ask('/global-settings');
  if (status === 403)
    return { what, isWell: false, says: 'you may not see it: backup:DescribeGlobalSettings' };
  if (status !== 200) {
    const says =
      'the account is in no organization of AWS Organizations, within which alone backups are copied';
    return { what, isWell: false, says };
  }
  const isOn = globalSettings.parse(body).GlobalSettings.isCrossAccountBackupEnabled === 'true';
  const turnOn = 'aws backup update-global-settings --global-settings isCrossAccountBackupEnabled=true';
  return { what, isWell: isOn, says: isOn ? 'on' : `off; in the management account: ${turnOn}` };
}

/** AWS Backup, "Advanced DynamoDB backup": without it a backup cannot leave the account. */
async function checkRegion(): Promise<Finding> {
  const what = "DynamoDB's advanced features";
  const { status, body } = await ask('/account-settings');
  if (status !== 200) {
    return { what, isWell: false, says: `AWS answered ${status}: backup:DescribeRegionSettings` };
  }
  const settings = regionSettings.parse(body);
  const isOn =
    settings.ResourceTypeManagementPreference.DynamoDB === true &&
    settings.ResourceTypeOptInPreference.DynamoDB !== false;
  const turnOn =
    'aws backup update-region-settings --resource-type-opt-in-preference DynamoDB=true --resource-type-management-preference DynamoDB=true';
  return { what, isWell: isOn, says: isOn ? 'on' : `off in this region: ${turnOn}` };
}

async function checkCopies(resourceArn: string, destinationVaultArn: string, now: number): Promise<Finding> {
  const what = `copies of ${resourceArn.split('/').at(-1)}`;
  const { status, body } = await ask('/copy-jobs/', { resourceArn, destinationVaultArn });
  if (status !== 200) return { what, isWell: false, says: `AWS answered ${status}: backup:ListCopyJobs` };
  const jobs = copyJobs.parse(body).CopyJobs.sort((a, b) => b.CreationDate - a.CreationDate);
  const [latest] = jobs;
  if (latest === undefined)
    return { what, isWell: false, says: 'none yet; the first follows the next 05:00 UTC' };
  const done = jobs.find(({ State }) => State === 'COMPLETED');
  const at = done && new Date((done.CompletionDate ?? done.CreationDate) * SECOND);
  const last = at === undefined ? 'none arrived' : `the last arrived ${at.toISOString()}`;
  const isLate = at === undefined || now - at.getTime() > LATE_MS;
  if (latest.State === 'FAILED') {
    return { what, isWell: false, says: `${last}; then: ${latest.StatusMessage ?? 'failed'}` };
  }
  return { what, isWell: !isLate, says: last };
}

/** `arn:aws:states:eu-west-1:123456789012:stateMachine:…`: where the stage is. */
const placeOf = (arn: string): string => {
  const [, partition, , region, account] = arn.split(':');
  return `arn:${partition}:dynamodb:${region}:${account}`;
};

const accountOf = (arn: string): string | undefined => arn.split(':')[4];

async function check({ deployment, now }: Session, { copyToVault }: Flags): Promise<Report> {
  const { origin, tableName, erasureLogTableName } = deployment;
  if (origin.kind === 'local') throw failure('A local instance is its data folder: copy that.');
  const vault = copyToVault ?? origin.output('BackupCopyVaultArn');
  const place = placeOf(origin.output('PurgeStateMachineArn'));
  // Within the account, to another region, no organization is needed.
  const isElsewhere = accountOf(vault) !== accountOf(place);
  const findings = [...(isElsewhere ? [await checkOrganization()] : []), await checkRegion()];
  for (const table of copyToVault === undefined ? [tableName, erasureLogTableName] : [])
    findings.push(await checkCopies(`${place}:table/${table}`, vault, now()));
  const missing = findings.filter(({ isWell }) => !isWell).map(({ what }) => what);
  return {
    json: { vault, findings },
    text: findings
      .map(({ what, isWell, says }) => `${isWell ? 'well' : 'MISSING'}  ${what}: ${says}`)
      .join('\n'),
    problem: missing.length === 0 ? undefined : `Backups do not outlive this account: ${missing.join(', ')}.`,
  };
}

export function addBackupCommands(program: Command, perform: Perform): void {
  program
    .command('backup')
    .description('backups in another account')
    .command('check')
    .description('whether they arrive, and what is missing where they do not')
    .addOption(new Option('--copy-to-vault <arn>', 'before `backup` is set: what has to be there first'))
    .action(perform<Flags>(check));
}
