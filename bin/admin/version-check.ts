/** Whether this program's version may change a deployment of another one. */

import type { Command } from 'commander';

/** What a stack has that was deployed before stacks said their version. */
export const VERSION_BEFORE_OUTPUT = '0.1.0';

/** Commands that change nothing in the deployment. */
export const READING: ReadonlySet<string> = new Set([
  'backup check',
  'contacts list',
  'identity secret list',
  'key list',
  'project list',
  'project show',
  'purge status',
  'results comments',
  'results compare',
  'results digest',
  'results export',
  'results report',
  'results show',
  'retention status',
  'survey list',
  'survey log',
  'survey pull',
  'survey show',
  'survey why',
  'token-key list',
  'webhook list',
]);

/** The names of a command and of those above it, without the program's: `survey apply`. */
export function commandPath(command: Command): string {
  const above = command.parent;
  if (above === null) return '';
  return `${commandPath(above)} ${command.name()}`.trim();
}

const numbersOf = (version: string): readonly number[] =>
  (version.split(/[-+]/)[0] ?? '').split('.').map(Number);

/** What may be incompatible: the major version, and before 1.0 the minor one. */
function lineOf(version: string): string {
  const [major = 0, minor = 0] = numbersOf(version);
  return major === 0 ? `0.${minor}` : String(major);
}

function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(than)];
  const at = ours.findIndex((number, index) => number !== theirs[index]);
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

/**
 * Why a command may not be carried out: another line of versions may store what the other cannot read, and an older
 * program does not know what a newer deployment keeps. Reading is always allowed.
 * @param deployed of a local instance undefined: it is this program's
 */
export function versionProblem(ours: string, deployed: string | undefined, path: string): string | undefined {
  if (deployed === undefined || READING.has(path)) return undefined;
  if (lineOf(ours) === lineOf(deployed) && !isOlder(ours, deployed)) return undefined;
  const upgrade = isOlder(deployed, ours) ? `, or deploy ${ours} first` : '';
  return `The deployment is of version ${deployed} and this program of ${ours}: it may only read. Use @canvass-surveys/cli@${deployed}${upgrade}.`;
}
