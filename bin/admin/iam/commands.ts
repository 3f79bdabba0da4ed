import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { type DeploymentSettings, metricsNamespace } from '../../../lib/settings/settings.ts';
import { SettingsError } from '../../../lib/settings/settings-error.ts';
import { ROUTES } from '../../../shared/contract/routes.ts';
import { misuse } from '../admin-error.ts';
import { type PerformAlone, type Report, requireOptions } from '../command.ts';
import { stackOutputs } from '../deployment.ts';
import {
  charactersOf,
  doctorStatements,
  lookingStatements,
  operateStatements,
  type Policy,
  pack,
  type Statement,
} from './operate-statements.ts';

interface StageFlags {
  readonly stage: string;
  readonly settings: string;
}

function readStage({ stage, settings }: StageFlags): DeploymentSettings {
  let context: { readonly stages?: unknown } | undefined;
  try {
    context = JSON.parse(readFileSync(settings, 'utf8')).context;
  } catch (error) {
    throw misuse(`${settings} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  try {
    const names = ROUTES.map(({ name }) => name);
    return readSettings({ stage, stages: context?.stages }, names);
  } catch (error) {
    if (error instanceof SettingsError) throw misuse(...error.message.split('\n'));
    throw error;
  }
}

function write(folder: string, name: string, statements: readonly Statement[]) {
  const policies = pack(statements);
  mkdirSync(folder, { recursive: true });
  return policies.map((policy: Policy, index) => {
    const numbered = `${name}-${index + 1}`;
    const file = join(folder, `${numbered}.json`);
    writeFileSync(file, `${JSON.stringify(policy, undefined, 2)}\n`);
    return { name: numbered, file, characters: charactersOf(policy) };
  });
}

const create = ({ name, file }: Record<'name' | 'file', string>) =>
  `aws iam create-policy --policy-name ${name} --policy-document file://${file}`;

interface OperateFlags extends StageFlags {
  readonly stack?: string;
  readonly construct?: string;
  readonly out: string;
  readonly readOnly?: boolean;
  readonly doctor?: boolean;
  readonly replicaRegion?: string;
  readonly replicaKey?: string;
  readonly mintKeySecret?: readonly string[];
}

const STATEMENTS = { doctor: doctorStatements, look: lookingStatements, operate: operateStatements };

async function operate(_: unknown, flags: OperateFlags): Promise<Report> {
  const settings = readStage(flags);
  const stack = flags.stack ?? metricsNamespace(settings);
  const outputs = await stackOutputs(stack, flags.construct);
  const { replicaRegion: region, replicaKey: keyArn, mintKeySecret = [] } = flags;
  const replica = region === undefined ? undefined : { region, keyArn };
  const operated = { stack, settings, ...outputs, mintKeySecrets: mintKeySecret, replica };
  const kind = (flags.doctor && 'doctor') || (flags.readOnly && 'look') || 'operate';
  const policies = write(flags.out, `${stack}-${kind}`, STATEMENTS[kind](operated));
  const written = policies.map(({ file, characters }) => `${file} (${characters} of 6,144 characters)`);
  const commands = policies.map(create);
  return { json: { policies, commands }, text: [...written, '', ...commands].join('\n') };
}

export function addIamCommands(program: Command, perform: PerformAlone): void {
  const iam = program.command('iam').description('IAM policies for a stage (docs/iam.md)');
  requireOptions(
    iam
      .command('operate')
      .description('write the policies that this command line needs for a deployed stage'),
    new Option('--stage <name>', 'stage in cdk.json'),
  )
    .option('--read-only', 'write the policy for read-only commands')
    .option('--doctor', 'write the policy for "doctor" only')
    .option(
      '--replica-region <region>',
      'also allow everything in this second region (docs/operations.md, "Loss of a region")',
    )
    .option('--replica-key <arn>', 'the key of your own in the second region')
    .option('--mint-key-secret <ids...>', 'your own secrets in which "project ensure" stores mint keys')
    .option('--settings <file>', 'file with the stages, under context.stages', 'cdk.json')
    .option('-o, --out <folder>', 'folder to write the files to', 'iam')
    .action(perform(operate));
}
