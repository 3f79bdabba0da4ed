/** The commands of `npm run admin`, and what its exit status says: 0 done, 1 not done, 2 wrongly asked. */

import { Command, CommanderError } from 'commander';
import { LocalError } from '../../local/local-error.ts';
import { AdminError } from './admin-error.ts';
import { addErasureCommands } from './erasure-commands.ts';
import { addImportCommand } from './import-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { addProjectCommands } from './project-commands.ts';
import { addPurgeCommands } from './purge-commands.ts';
import { createPerform } from './session.ts';
import { addSurveyCommands } from './survey-commands.ts';
import { createTerminal, type Streams } from './terminal.ts';
import { addTokenKeyCommands } from './token-key-commands.ts';

/** A new command is a file beside this one and a line here. */
const COMMANDS = [
  addProjectCommands,
  addKeyCommands,
  addSurveyCommands,
  addImportCommand,
  addPurgeCommands,
  addErasureCommands,
  addTokenKeyCommands,
] as const;

function createProgram(streams: Streams): Command {
  const { stdout, stderr } = streams;
  const program = new Command('npm run admin --')
    .description('Runs projects, keys and surveys of a Canvass deployment.')
    .option('--stack <name>', "the deployment's CloudFormation stack, under your AWS identity and region")
    .option('--local', 'the local instance, running or stopped')
    .option('--data <folder>', 'data folder of the local instance (default: .canvass)')
    .option('--json', 'print one JSON document')
    .configureHelp({ showGlobalOptions: true, helpWidth: 110 })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`),
    })
    .exitOverride();
  const perform = createPerform(createTerminal(streams));
  for (const add of COMMANDS) add(program, perform);
  return program;
}

/** Failures that are nobody's bug, in one line; undefined for those that are. */
function explain(error: unknown): string | undefined {
  if (error instanceof AdminError || error instanceof LocalError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const isAnswer = '$metadata' in error || '$fault' in error;
  const isSetUp = /credential|region|token.*expired|sso/i.test(`${error.name} ${error.message}`);
  const isConnection = 'code' in error || error.name === 'TimeoutError';
  if (!isAnswer && !isSetUp && !isConnection) return undefined;
  return `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ');
}

/** Runs one command line; returns its exit status. */
export async function runAdmin(args: readonly string[], streams: Streams): Promise<number> {
  // Whoever reads the output may stop reading: `… | head`.
  streams.stdout.on('error', () => undefined);
  try {
    await createProgram(streams).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said already what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const reason = explain(error);
    if (reason === undefined) throw error;
    streams.stderr.write(`error: ${reason}\n`);
    return error instanceof AdminError ? error.exitStatus : 1;
  }
}
