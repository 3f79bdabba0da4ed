import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const versionOf = (node: string): string =>
  execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

/** Falls back to the current Node if the machine has no older one. */
export const OLDEST_NODE =
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((node) => existsSync(node) && versionOf(node).startsWith('v20.')) ?? process.execPath;

export const NODES: readonly string[] = [
  ...new Map(
    [
      ...(process.env.PATH ?? '')
        .split(delimiter)
        .map((folder) => join(folder, 'node'))
        .filter((node) => existsSync(node)),
      OLDEST_NODE,
      process.execPath,
    ].map((node) => [versionOf(node).split('.')[0], node]),
  ).values(),
];
