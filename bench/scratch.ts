/** Folders and processes that end with the bench, however it ends. */

import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();
const children = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A folder in memory where the system has one: what is measured is the service, not a disk. */
export function scratchFolder(): string {
  const parent = isWritable('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(join(parent, 'canvass-bench-'));
  folders.add(folder);
  return folder;
}

export function removeScratchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

export function endWithBench(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}
