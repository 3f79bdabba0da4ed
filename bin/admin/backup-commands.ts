import { type Command, Option } from 'commander';
import * as z from 'zod';
import { askAsOperator } from '../../shared/data/aws/operator-access.ts';
import { DAY, SECOND } from '../../shared/domain/duration.ts';
import { failure } from './admin-error.ts';
import type { Perform, Report } from './command.ts';
import type { Session } from './session.ts';
import { timeText } from './terminal.ts';

interface Flags {
  readonly copyToVault?: string;
}

interface Finding {
  readonly what: string;
  readonly isWell: boolean;
  readonly says: string;
}

/** Copying a large table may take hours. */
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

/** Source: AWS Backup, "Creating backup copies across AWS accounts". */
async function checkOrganization(): Promise<Finding> {
  const what = 'copies to other accounts';
  const { status, body } = await ask('/global-settings');
  if (status === 403)
    return { what, isWell: false, says: 'access denied: allow backup:DescribeGlobalSettings' };
  if (status !== 200) {
    const says =
      'the account belongs to no AWS Organization; AWS Backup copies across accounts only within one';
    return { what, isWell: false, says };
  }
  const isOn = globalSettings.parse(body).GlobalSettings.isCrossAccountBackupEnabled === 'true';
  const turnOn = 'aws backup update-global-settings --global-settings isCrossAccountBackupEnabled=true';
  return { what, isWell: isOn, says: isOn ? 'on' : `off; run this in the management account: ${turnOn}` };
}

/** Source: AWS Backup, "Advanced DynamoDB backup". */
async function checkRegion(): Promise<Finding> {
  const what = "DynamoDB's advanced features";
  const { status, body } = await ask('/account-settings');
  if (status !== 200) {
    return { what, isWell: false, says: `AWS answered ${status}: check backup:DescribeRegionSettings` };
  }
  const settings = regionSettings.parse(body);
  const isOn =
    settings.ResourceTypeManagementPreference.DynamoDB === true &&
    settings.ResourceTypeOptInPreference.DynamoDB !== false;
  const turnOn =
    'aws backup update-region-settings --resource-type-opt-in-preference DynamoDB=true --resource-type-management-preference DynamoDB=true';
  return { what, isWell: isOn, says: isOn ? 'on' : `off in this region; turn it on: ${turnOn}` };
}

async function checkCopies(resourceArn: string, destinationVaultArn: string, now: number): Promise<Finding> {
  const what = `copies of ${resourceArn.split('/').at(-1)}`;
  const { status, body } = await ask('/copy-jobs/', { resourceArn, destinationVaultArn });
  if (status !== 200)
    return { what, isWell: false, says: `AWS answered ${status}: check backup:ListCopyJobs` };
  const jobs = copyJobs.parse(body).CopyJobs.sort((a, b) => b.CreationDate - a.CreationDate);
  const [latest] = jobs;
  if (latest === undefined)
    return { what, isWell: false, says: 'no copy yet; the first one starts at the next 05:00 UTC' };
  const done = jobs.find(({ State }) => State === 'COMPLETED');
  const at = done && new Date((done.CompletionDate ?? done.CreationDate) * SECOND);
  const last =
    at === undefined ? 'no copy has arrived' : `the last copy arrived on ${timeText(at.toISOString())}`;
  const isLate = at === undefined || now - at.getTime() > LATE_MS;
  if (latest.State === 'FAILED') {
    return {
      what,
      isWell: false,
      says: `${last}; a later copy failed: ${latest.StatusMessage ?? 'AWS gave no reason'}`,
    };
  }
  return { what, isWell: !isLate, says: last };
}

const placeOf = (arn: string): string => {
  const [, partition, , region, account] = arn.split(':');
  return `arn:${partition}:dynamodb:${region}:${account}`;
};

const accountOf = (arn: string): string | undefined => arn.split(':')[4];

async function check({ deployment, now }: Session, { copyToVault }: Flags): Promise<Report> {
  const { origin, tableName, erasureLogTableName } = deployment;
  if (origin.kind === 'local') throw failure('A local instance needs no backups: copy its data folder.');
  const vault = copyToVault ?? origin.output('BackupCopyVaultArn');
  const place = placeOf(origin.output('PurgeStateMachineArn'));
  // Copies to another region of the same account need no organization.
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
    problem:
      missing.length === 0
        ? undefined
        : `Backups are not copied to the other account: ${missing.join(', ')}.`,
  };
}

export function addBackupCommands(program: Command, perform: Perform): void {
  program
    .command('backup')
    .description('check backups in another account')
    .command('check')
    .description('check that backups arrive in the other account, and list what is missing')
    .addOption(
      new Option(
        '--copy-to-vault <arn>',
        'ARN of the destination vault: checks the requirements before you set `backup`',
      ),
    )
    .action(perform(check));
}
