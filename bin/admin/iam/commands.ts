/** `iam operate`: the operator's policies for a stage, as files. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { metricsNamespace } from '../../../lib/settings/settings.ts';
import { type PerformAlone, type Report, requireOptions } from '../command.ts';
import { stackOutputs } from '../deployment.ts';
import { readStage, type StageFlags, settingsOption, stageOption } from '../stage-settings.ts';
import { lookingStatements, operateStatements } from './operate-statements.ts';
import { charactersOf, type Policy, pack, type Statement } from './statement.ts';

interface Written {
  readonly name: string;
  readonly file: string;
  readonly characters: number;
}

function write(folder: string, name: string, statements: readonly Statement[]): readonly Written[] {
  const policies = pack(statements);
  mkdirSync(folder, { recursive: true });
  return policies.map((policy: Policy, index) => {
    const numbered = `${name}-${index + 1}`;
    const file = join(folder, `${numbered}.json`);
    writeFileSync(file, `${JSON.stringify(policy, undefined, 2)}\n`);
    return { name: numbered, file, characters: charactersOf(policy) };
  });
}

const create = ({ name, file }: Written) =>
  `aws iam create-policy --policy-name ${name} --policy-document file://${file}`;

interface OperateFlags extends StageFlags {
  readonly stack?: string;
  readonly construct?: string;
  readonly out: string;
  readonly readOnly?: boolean;
  readonly mintKeySecret?: readonly string[];
}

async function operate(_: unknown, flags: OperateFlags): Promise<Report> {
  const settings = readStage(flags);
  const stack = flags.stack ?? metricsNamespace(settings);
  const outputs = await stackOutputs(stack, flags.construct);
  const operated = { stack, settings, ...outputs, mintKeySecrets: flags.mintKeySecret ?? [] };
  const policies = flags.readOnly
    ? write(flags.out, `${stack}-look`, lookingStatements(operated))
    : write(flags.out, `${stack}-operate`, operateStatements(operated));
  const written = policies.map(({ file, characters }) => `${file} (${characters} of 6,144 characters)`);
  const commands = policies.map(create);
  return { json: { policies, commands }, text: [...written, '', ...commands].join('\n') };
}

export function addIamCommands(program: Command, perform: PerformAlone): void {
  const iam = program.command('iam').description('IAM policies for a stage, as files (docs/iam.md)');
  requireOptions(
    iam
      .command('operate')
      .description('writes the policies that this command line needs for a deployed stage'),
    stageOption(),
  )
    .option('--read-only', 'write the policy for commands that change nothing')
    .option('--mint-key-secret <ids...>', 'your own secrets that "project ensure" stores mint keys in')
    .addOption(settingsOption())
    .option('-o, --out <folder>', 'where to write the files', 'iam')
    .action(perform<OperateFlags>(operate));
}
