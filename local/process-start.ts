import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Fields of `/proc/<pid>/stat` behind the name, which may hold blanks and parentheses: state first, start 20th. */
const STATE = 0;
const START = 19;

/**
 * When a process started, as an opaque text: with the process id it names one process for good, although ids
 * are used again. Undefined when no such process runs; a zombie does not.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return startFromPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[STATE] === 'Z' ? undefined : fields[START];
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const start = stdout?.trim();
  return start === '' ? undefined : start;
}
