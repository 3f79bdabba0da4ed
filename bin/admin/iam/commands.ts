/** `iam deploy|operate`: policies of a stage, as files. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { metricsNamespace } from '../../../lib/settings/settings.ts';
import { type PerformAlone, type Report, requireOptions } from '../command.ts';
import { prefixOf, stackOutputs } from '../deployment.ts';
import { readStage, type StageFlags, settingsOption, stageOption } from '../stage-settings.ts';
import { deployStatements } from './deploy-statements.ts';
import { edgeStatements } from './edge-statements.ts';
import { lookingStatements, operateStatements } from './operate-statements.ts';
import { EDGE_REGION, type Place, partitionOf } from './place.ts';
import { charactersOf, type Policy, pack, type Statement } from './statement.ts';

interface CommonFlags extends StageFlags {
  readonly stack?: string;
  readonly construct?: string;
  readonly out: string;
}

interface DeployFlags extends CommonFlags {
  readonly account: string;
  readonly region: string;
  readonly qualifier: string;
  readonly edgeStack?: string;
}

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

function reportOf(policies: readonly Written[], commands: readonly string[]): Report {
  const written = policies.map(({ file, characters }) => `${file} (${characters} of 6,144 characters)`);
  return {
    json: { policies, commands },
    text: [...written, '', ...commands].join('\n'),
  };
}

/** The place that flags and settings name: in a checkout, stacks are called by the stage. */
function placeOf(flags: DeployFlags): Place {
  const settings = readStage(flags);
  const stack = flags.stack ?? metricsNamespace(settings);
  return {
    settings,
    account: flags.account,
    region: flags.region,
    qualifier: flags.qualifier,
    stack,
    edgeStack: flags.edgeStack ?? `${stack}-edge`,
    prefix: prefixOf(flags.construct ?? ''),
  };
}

async function deploy(_: unknown, flags: DeployFlags): Promise<Report> {
  const place = placeOf(flags);
  const { account, region, qualifier, stack } = place;
  const stage = write(flags.out, `${stack}-deploy`, deployStatements(place));
  const edge = write(flags.out, `${stack}-deploy-edge`, edgeStatements(place));
  const bootstrap = (where: string, policies: readonly Written[]) => {
    const arns = policies
      .map(({ name }) => `arn:${partitionOf(region)}:iam::${account}:policy/${name}`)
      .join(',');
    return `npm exec -- cdk bootstrap aws://${account}/${where} --qualifier ${qualifier} --toolkit-stack-name CDKToolkit-${qualifier} --cloudformation-execution-policies ${arns}`;
  };
  return reportOf(
    [...stage, ...edge],
    [
      ...[...stage, ...edge].map(create),
      // Without an edge that region needs nothing; a stage there has both in one bootstrap.
      ...(region === EDGE_REGION || edge.length === 0
        ? [bootstrap(region, [...stage, ...edge])]
        : [bootstrap(region, stage), bootstrap(EDGE_REGION, edge)]),
    ],
  );
}

interface OperateFlags extends CommonFlags {
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
  return reportOf(policies, policies.map(create));
}

function accountId(text: string): string {
  if (/^\d{12}$/.test(text)) return text;
  throw new InvalidArgumentError('An account has twelve digits.');
}

function regionName(text: string): string {
  if (/^[a-z]{2,4}(-[a-z]+)+-\d+$/.test(text)) return text;
  throw new InvalidArgumentError('Write a region as eu-central-1.');
}

const folder = () => new Option('-o, --out <folder>', 'where the files go').default('iam');

export function addIamCommands(program: Command, perform: PerformAlone): void {
  const iam = program.command('iam').description('policies of a stage, as files (docs/iam.md)');
  requireOptions(
    iam.command('deploy').description('what CloudFormation needs to deploy the stage, and its edge'),
    stageOption(),
    new Option('--account <id>', 'of the stage').argParser(accountId),
    new Option('--region <name>', 'of the stage').argParser(regionName),
  )
    .option('--qualifier <name>', 'of the bootstrap', 'canvass')
    .option('--edge-stack <name>', "the edge's stack (default: the stage's, with -edge)")
    .addOption(settingsOption())
    .addOption(folder())
    .action(perform<DeployFlags>(deploy));
  requireOptions(
    iam.command('operate').description('what this command line needs, for the stage as it is deployed'),
    stageOption(),
  )
    .option('--read-only', 'for who only looks')
    .option('--mint-key-secret <ids...>', 'secrets of your own in which "project ensure" keeps mint keys')
    .addOption(settingsOption())
    .addOption(folder())
    .action(perform<OperateFlags>(operate));
}
