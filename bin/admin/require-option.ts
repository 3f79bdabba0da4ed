import { type Command, Option } from 'commander';

/**
 * Adds an option that must be given. Commander's own mandatory options are missed before a misspelt one is noticed,
 * so that `--projct 1` would not be told its right name.
 */
export function requireOption(command: Command, option: Option): Command {
  const name = option.attributeName();
  option.description += ' (required)';
  return command.addOption(option).hook('preAction', (_, acting) => {
    if (acting.getOptionValue(name) === undefined) acting.error(`error: ${option.flags} is missing`);
  });
}

/** The project that a command is about. */
export function requireProject(command: Command): Command {
  return requireOption(command, new Option('--project <id>', 'id of the project'));
}
