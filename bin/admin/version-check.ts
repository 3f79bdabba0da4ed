import type { Command } from 'commander';

/** Stacks of this version have no `Version` output yet. */
export const VERSION_BEFORE_OUTPUT = '0.1.0';

export const READING: ReadonlySet<string> = new Set(
  (
    'backup check, contacts list, doctor, identity secret list, key list, project list, project show, ' +
    'purge status, results comments, results compare, results digest, results export, results report, ' +
    'results show, retention status, survey list, survey log, survey pull, survey show, survey why, ' +
    'token-key list, webhook list'
  ).split(', '),
);

export function commandPath(command: Command): string {
  const above = command.parent;
  if (above === null) return '';
  return `${commandPath(above)} ${command.name()}`.trim();
}

const numbersOf = (version: string): readonly number[] =>
  (version.split(/[-+]/)[0] ?? '').split('.').map(Number);

/** Versions are compatible within a major version; before 1.0, within a minor version. */
function lineOf(version: string): string {
  const [major = 0, minor = 0] = numbersOf(version);
  return major === 0 ? `0.${minor}` : String(major);
}

function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(than)];
  const at = ours.findIndex((number, index) => number !== theirs[index]);
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}

/** A command line of another version line may store data that the deployment cannot read. Reading is always allowed. */
export function versionProblem(ours: string, deployed: string | undefined, path: string): string | undefined {
  if (deployed === undefined || READING.has(path)) return undefined;
  if (lineOf(ours) === lineOf(deployed) && !isOlder(ours, deployed)) return undefined;
  const upgrade = isOlder(deployed, ours) ? `, or deploy ${ours} first` : '';
  return `The deployment has version ${deployed} and this program has version ${ours}, so it can only read. Use @canvass-surveys/cli@${deployed}${upgrade}.`;
}
