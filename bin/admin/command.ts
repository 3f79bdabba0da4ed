import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatDuration, parseDuration } from '../../shared/domain/duration.ts';
import { visibleJson } from '../../shared/domain/escapes.ts';
import { failure } from './admin-error.ts';
import type { Deployment, DeploymentFlags } from './deployment.ts';
import { openSession, type Session, type Surroundings } from './session.ts';
import type { Terminal } from './terminal.ts';

export interface Report {
  readonly json: unknown;
  readonly text: string;
  /** If set, the command exits with status 1. */
  readonly problem?: string | undefined;
}

/** Returns undefined if the command has written its result itself. */
type Act<Flags> = (session: Session, flags: Flags, args: readonly string[]) => Promise<Report | undefined>;

export type Perform = <Flags>(act: Act<Flags>) => (this: Command) => Promise<void>;

export interface Alone {
  readonly terminal: Terminal;
  readonly now: () => number;
}

type ActAlone<Flags> = (context: Alone, flags: Flags, args: readonly string[]) => Promise<Report>;

export type PerformAlone = <Flags>(act: ActAlone<Flags>) => (this: Command) => Promise<void>;

function tell(report: Report | undefined, isJson: boolean | undefined, terminal: Terminal): void {
  if (report !== undefined) terminal.print(isJson ? visibleJson(report.json) : report.text);
  if (report?.problem !== undefined) throw failure(report.problem);
}

export function createPerformAlone(context: Alone): PerformAlone {
  return (act) =>
    async function perform() {
      const flags = this.optsWithGlobals<GlobalFlags & Parameters<typeof act>[1]>();
      tell(await act(context, flags, this.args), flags.json, context.terminal);
    };
}

interface GlobalFlags extends DeploymentFlags {
  readonly json?: boolean;
}

export function createPerform(
  open: (flags: DeploymentFlags, acting: Command) => Promise<Deployment>,
  terminal: Terminal,
  surroundings: Surroundings,
): Perform {
  return (act) =>
    async function perform() {
      const flags = this.optsWithGlobals<GlobalFlags & Parameters<typeof act>[1]>();
      const deployment = await open(flags, this);
      try {
        const show = flags.json ? terminal.note : terminal.print;
        const session = openSession(deployment, { ...surroundings, terminal, show });
        tell(await act(session, flags, this.args), flags.json, terminal);
      } finally {
        await deployment.close();
      }
    };
}

/**
 * Checks required options after parsing. Commander checks its own mandatory options first, so it would not suggest
 * `--project` for `--projct`.
 */
export function requireOptions(command: Command, ...options: readonly Option[]): Command {
  for (const option of options) {
    option.description += ' (required)';
    command.addOption(option);
  }
  return command.hook('preAction', (_, acting) => {
    const missing = options.filter((option) => acting.getOptionValue(option.attributeName()) === undefined);
    if (missing.length === 0) return;
    const flags = new Intl.ListFormat('en').format(
      missing.map((option) => option.flags.replace(/^-\w, /, '')),
    );
    acting.error(`error: ${flags} ${missing.length === 1 ? 'is' : 'are'} required`);
  });
}

/** Adds a command that requires a project. */
export const projectCommand = (
  parent: Command,
  name: string,
  description: string,
  ...others: readonly Option[]
): Command => requireProject(parent.command(name).description(description), ...others);

export function requireProject(command: Command, ...others: readonly Option[]): Command {
  return requireOptions(command, new Option('--project <id>', 'ID of the project'), ...others);
}

/** An inclusive range in milliseconds. */
interface DurationRange {
  readonly min: number;
  readonly max: number;
}

export const rangeText = ({ min, max }: DurationRange): string =>
  `${formatDuration(min)} to ${formatDuration(max)}`;

export const parseDurationWithin =
  (range: DurationRange) =>
  (text: string): number => {
    const duration = parseDuration(text);
    if (duration === undefined)
      throw new InvalidArgumentError('Write a duration such as 30s, 15m, 12h or 7d.');
    if (duration >= range.min && duration <= range.max) return duration;
    throw new InvalidArgumentError(`It must be ${rangeText(range)}.`);
  };
