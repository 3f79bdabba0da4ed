/** Folders and processes of the bench, which end with it, however it ends. */

import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();
const children = new Set<ChildProcess>();

/** Kills and removes what is left; synchronous, so that it can run while the process exits. */
function endScratch(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  children.clear();
  folders.clear();
}

process.once('exit', endScratch);

/** A folder in memory where the system has one: what is measured is the service, not a disk. */
export function scratchFolder(): string {
  for (const parent of ['/dev/shm', tmpdir()]) {
    try {
      accessSync(parent, constants.W_OK);
    } catch {
      continue;
    }
    const folder = mkdtempSync(join(parent, 'canvass-bench-'));
    folders.add(folder);
    return folder;
  }
  throw new Error('there is no folder to write to');
}

export function removeScratchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/** Of a child that must not outlive the bench. */
export function endsWithBench(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}
