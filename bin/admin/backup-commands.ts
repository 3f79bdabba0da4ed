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

interface Result {
  readonly isWell: boolean;
  readonly says: string;
}

/** Backups start daily, and copying a large table may take hours. */
const LATE_MS = 2 * DAY;

const flags = z.record(z.string(), z.boolean()).default({});
const globalSettings = z.object({ GlobalSettings: z.record(z.string(), z.string()).default({}) });
const regionSettings = z.object({
  ResourceTypeOptInPreference: flags,
  ResourceTypeManagementPreference: flags,
});
/** Dates are in seconds since the epoch. */
const copyJob = z.object({
  ...{ State: z.string(), StatusMessage: z.string().nullish() },
  ...{ CreationDate: z.number(), CompletionDate: z.number().nullish() },
});
const copyJobs = z.object({ CopyJobs: z.array(copyJob).default([]) });

const ask = (path: string, query: Readonly<Record<string, string>> = {}) =>
  askAsOperator('backup', path, query);

const missing = (says: string) => ({ isWell: false, says });

const check = (isOn: boolean, ifOff: string) => (isOn ? { isWell: true, says: 'on' } : missing(ifOff));

/** Source: AWS Backup, "Creating backup copies across AWS accounts". */
async function checkOrganization(): Promise<Result> {
  const { status, body } = await ask('/global-settings');
  if (status === 403) return missing('access denied: allow backup:DescribeGlobalSettings');
  if (status !== 200) {
    return missing(
      'the account belongs to no AWS Organization; AWS Backup copies across accounts only within one',
    );
  }
  const isOn = globalSettings.parse(body).GlobalSettings.isCrossAccountBackupEnabled === 'true';
  const turnOn = 'aws backup update-global-settings --global-settings isCrossAccountBackupEnabled=true';
  return check(isOn, `off; run this in the management account: ${turnOn}`);
}

/** Source: AWS Backup, "Advanced DynamoDB backup". */
async function checkRegion(): Promise<Result> {
  const { status, body } = await ask('/account-settings');
  if (status !== 200) return missing(`AWS answered ${status}: check backup:DescribeRegionSettings`);
  const settings = regionSettings.parse(body);
  const isOn =
    settings.ResourceTypeManagementPreference.DynamoDB === true &&
    settings.ResourceTypeOptInPreference.DynamoDB !== false;
  const turnOn =
    'aws backup update-region-settings --resource-type-opt-in-preference DynamoDB=true --resource-type-management-preference DynamoDB=true';
  return check(isOn, `off in this region; turn it on: ${turnOn}`);
}

async function checkCopies(resourceArn: string, destinationVaultArn: string, now: number): Promise<Result> {
  const { status, body } = await ask('/copy-jobs/', { resourceArn, destinationVaultArn });
  if (status !== 200) return missing(`AWS answered ${status}: check backup:ListCopyJobs`);
  const jobs = copyJobs.parse(body).CopyJobs.sort((a, b) => b.CreationDate - a.CreationDate);
  const [latest] = jobs;
  if (latest === undefined) return missing('no copy yet; the first one starts at the next 05:00 UTC');
  const done = jobs.find(({ State }) => State === 'COMPLETED');
  const at = done && new Date((done.CompletionDate ?? done.CreationDate) * SECOND);
  const last =
    at === undefined ? 'no copy has arrived' : `the last copy arrived on ${timeText(at.toISOString())}`;
  if (latest.State === 'FAILED')
    return missing(`${last}; a later copy failed: ${latest.StatusMessage ?? 'AWS gave no reason'}`);
  return { isWell: at !== undefined && now - at.getTime() <= LATE_MS, says: last };
}

const placeOf = (arn: string): string => {
  const [, partition, , region, account] = arn.split(':');
  return `arn:${partition}:dynamodb:${region}:${account}`;
};

const accountOf = (arn: string): string | undefined => arn.split(':')[4];

export async function findBackups({ deployment, now }: Session, { copyToVault }: Flags = {}) {
  const { origin, tableName, erasureLogTableName } = deployment;
  if (origin.kind === 'local') throw failure('A local instance needs no backups: copy its data folder.');
  const vault = copyToVault ?? origin.output('BackupCopyVaultArn');
  const place = placeOf(origin.output('PurgeStateMachineArn'));
  const findings: (Result & { readonly what: string })[] = [];
  // Copies within an account need no organization.
  if (accountOf(vault) !== accountOf(place))
    findings.push({ what: 'copies to other accounts', ...(await checkOrganization()) });
  findings.push({ what: "DynamoDB's advanced features", ...(await checkRegion()) });
  for (const table of copyToVault === undefined ? [tableName, erasureLogTableName] : [])
    findings.push({
      what: `copies of ${table}`,
      ...(await checkCopies(`${place}:table/${table}`, vault, now())),
    });
  return { vault, findings };
}

async function checkBackups(session: Session, flags: Flags): Promise<Report> {
  const { vault, findings } = await findBackups(session, flags);
  const lacking = findings.filter(({ isWell }) => !isWell).map(({ what }) => what);
  return {
    json: { vault, findings },
    text: findings
      .map(({ what, isWell, says }) => `${isWell ? 'well' : 'MISSING'}  ${what}: ${says}`)
      .join('\n'),
    problem:
      lacking.length === 0
        ? undefined
        : `Backups are not copied to the other account: ${lacking.join(', ')}.`,
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
    .action(perform(checkBackups));
}
