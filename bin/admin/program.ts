/** Exit status: 0 if the command succeeded, 1 if it failed, 2 for a wrong flag or file. */

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Command, CommanderError } from 'commander';
import { ADMIN } from '../../local/called-as.ts';
import { LocalError } from '../../local/local-error.ts';
import { VERSION } from '../../shared/settings/version.ts';
import { AdminError, failure } from './admin-error.ts';
import { addBackupCommands } from './backup-commands.ts';
import { createPerform, createPerformAlone } from './command.ts';
import { addConsoleCommands } from './console/person-link.ts';
import { addContactCommands } from './contact-commands.ts';
import { type DeploymentFlags, openDeployment } from './deployment.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addEnsureCommand } from './ensure-command.ts';
import { addErasureCommands, addPurgeCommands } from './erasure-commands.ts';
import { addIamCommands } from './iam/commands.ts';
import { addImportCommand } from './import/command.ts';
import { addInitCommand } from './init-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { addProjectCommands } from './project-commands.ts';
import { addResultsCommands } from './results/commands.ts';
import { addRetentionCommands } from './retention-commands.ts';
import type { Surroundings } from './session.ts';
import { addIdentityCommands, addTokenKeyCommands } from './signing-commands.ts';
import { addSmokeCommands } from './smoke-commands.ts';
import { addSurveyCommands, addSurveyTypesCommand } from './survey/commands.ts';
import { addSurveyNewCommand } from './survey/new.ts';
import { createTerminal, printable, type Streams, shownOn, unwritten } from './terminal.ts';
import { commandPath, versionProblem } from './version-check.ts';
import { addWebhookCommands } from './webhook-commands.ts';

const COMMANDS = [
  addProjectCommands,
  addEnsureCommand,
  addKeyCommands,
  addIdentityCommands,
  addSurveyCommands,
  addImportCommand,
  addResultsCommands,
  addConsoleCommands,
  addContactCommands,
  addPurgeCommands,
  addErasureCommands,
  addRetentionCommands,
  addBackupCommands,
  addDoctorCommand,
  addTokenKeyCommands,
  addWebhookCommands,
  addSmokeCommands,
] as const;

const COMMANDS_ALONE = [addIamCommands, addSurveyTypesCommand, addSurveyNewCommand, addInitCommand] as const;

interface Brought extends Partial<Surroundings> {
  readonly open?: typeof openDeployment;
  readonly version?: string;
  readonly addMore?: (program: Command) => void;
}

const sleepSystem = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal });

function createProgram(
  streams: Streams,
  {
    open = openDeployment,
    now = Date.now,
    random = randomBytes,
    sleep = sleepSystem,
    version = VERSION,
    addMore = () => undefined,
  }: Brought,
): Command {
  const { stdout, stderr } = streams;
  const program = new Command(ADMIN)
    .description('Manages the projects, keys, surveys and answers of a Canvass deployment.')
    .version(version, '--version', 'print the version of this program')
    .option('--stack <name>', 'CloudFormation stack of the deployment, under your AWS identity and region')
    .option('--construct <path>', 'ID of the construct, if the stack has several deployments')
    .option('--local', 'use the local instance, running or stopped')
    .option('--data <folder>', 'data folder of the local instance (default: .canvass)')
    .option('--json', 'print one JSON document')
    .configureHelp({ showGlobalOptions: true, helpWidth: 110 })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(shownOn(stderr)(text)),
      outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`),
    })
    .hook('preAction', (_, acting) => refuseEmpty(acting))
    .exitOverride();
  const terminal = createTerminal(streams, now);
  const openFor = async (flags: DeploymentFlags, acting: Command) => {
    const deployment = await open(flags);
    const problem = versionProblem(version, deployment.version, commandPath(acting));
    if (problem === undefined) return deployment;
    await deployment.close();
    throw failure(problem);
  };
  const perform = createPerform(openFor, terminal, { now, random, sleep });
  for (const add of COMMANDS) add(program, perform);
  const performAlone = createPerformAlone({ terminal, now });
  for (const add of COMMANDS_ALONE) add(program, performAlone);
  addMore(program);
  return program;
}

/** Refuses empty values, such as `--project "$ID"` with an unset variable. */
function refuseEmpty(command: Command): void {
  const empty = Object.entries(command.optsWithGlobals()).find(([, value]) => value === '');
  if (empty !== undefined) command.error(`error: --${empty[0]} is empty`);
  if (command.args.includes('')) command.error('error: an argument is empty');
}

/** The SDK's errors for a missing or empty region. */
const NO_REGION = /^Region (is missing$|not accepted: region="" )/;

function explain(error: unknown): readonly string[] | undefined {
  if (error instanceof AdminError) return error.problems;
  if (error instanceof LocalError) return [error.message];
  if (!(error instanceof Error)) return undefined;
  if (NO_REGION.test(error.message))
    return ['No AWS region is set. Set AWS_REGION, or add a region to your AWS profile.'];
  const isAnswer = '$metadata' in error || '$fault' in error;
  const isSetUp = /credential|region|token.*expired|sso/i.test(`${error.name} ${error.message}`);
  const isConnection = 'code' in error || error.name === 'TimeoutError';
  if (!isAnswer && !isSetUp && !isConnection) return undefined;
  return [error.name === 'Error' ? error.message : `${error.name}: ${error.message}`];
}

async function run(args: readonly string[], streams: Streams, brought: Brought): Promise<number> {
  try {
    await createProgram(streams, brought).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const problems = explain(error);
    if (problems === undefined) throw error;
    for (const problem of problems) streams.stderr.write(`error: ${printable(problem)}\n`);
    return error instanceof AdminError ? error.exitStatus : 1;
  }
}

export async function runAdmin(
  args: readonly string[],
  streams: Streams,
  brought: Brought = {},
): Promise<number> {
  const { stdout, stderr } = streams;
  let problem: AdminError | undefined;
  stdout.on('error', (error) => {
    problem ??= unwritten(error);
  });
  const status = await run(args, streams, brought);
  await new Promise((resolve) => stdout.write('', resolve));
  if (problem === undefined || status !== 0) return status;
  stderr.write(`error: ${printable(problem.message)}\n`);
  return problem.exitStatus;
}
