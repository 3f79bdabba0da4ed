/** What every command is made of: its required options, and an action that opens a deployment and shows a report. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatDuration, parseDuration } from '../../shared/domain/duration.ts';
import { visibleJson } from '../../shared/domain/escapes.ts';
import { failure } from './admin-error.ts';
import type { Deployment, DeploymentFlags } from './deployment.ts';
import { openSession, type Session, type Surroundings } from './session.ts';
import type { Terminal } from './terminal.ts';

export interface Report {
  /** The one document that `--json` prints. */
  readonly json: unknown;
  /** The same for people. */
  readonly text: string;
  /** What was not done all the same: said after the report, with exit status 1. */
  readonly problem?: string | undefined;
}

/**
 * Carries a command out: reads flags and arguments, changes the deployment, and returns what to show; nothing when it
 * has written its result itself.
 */
type Act<Flags> = (session: Session, flags: Flags, args: readonly string[]) => Promise<Report | undefined>;

/** Makes the action of a command: opens the deployment its flags name, acts, shows the report, closes. */
export type Perform = <Flags>(act: Act<Flags>) => (this: Command) => Promise<void>;

/** What a command that is about no deployment works with. */
export interface Alone {
  readonly terminal: Terminal;
  readonly now: () => number;
}

type ActAlone<Flags> = (context: Alone, flags: Flags, args: readonly string[]) => Promise<Report>;

/** The same for a command that opens none. */
export type PerformAlone = <Flags>(act: ActAlone<Flags>) => (this: Command) => Promise<void>;

/** @throws AdminError for a problem that the report has */
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
 * Adds options that must be given. Commander's own mandatory options are missed before a misspelt one is noticed, so
 * that `--projct 1` would not be told its right name.
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
    acting.error(`error: ${flags} ${missing.length === 1 ? 'is' : 'are'} missing`);
  });
}

/** The project that a command is about, and what else it must be given. */
export function requireProject(command: Command, ...others: readonly Option[]): Command {
  return requireOptions(command, new Option('--project <id>', 'id of the project'), ...others);
}

/** Milliseconds, both included. */
interface DurationRange {
  readonly min: number;
  readonly max: number;
}

export const rangeText = ({ min, max }: DurationRange): string =>
  `${formatDuration(min)} to ${formatDuration(max)}`;

/** Makes a parser of flags that gives milliseconds. */
export const parseDurationWithin =
  (range: DurationRange) =>
  (text: string): number => {
    const duration = parseDuration(text);
    if (duration === undefined) throw new InvalidArgumentError('Write a duration as 30s, 15m, 12h or 7d.');
    if (duration >= range.min && duration <= range.max) return duration;
    throw new InvalidArgumentError(`It must be ${rangeText(range)}.`);
  };
