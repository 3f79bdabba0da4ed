import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Such as `v20.20.2`. */
export const versionOf = (node: string): string =>
  execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

/** The oldest Node that packages are for, where this machine has one, as CI's has; else the one that runs this. */
export const OLDEST_NODE =
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((node) => existsSync(node) && versionOf(node).startsWith('v20.')) ?? process.execPath;

/** Every Node of this machine, one of each major version, the oldest and this run's among them. */
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
