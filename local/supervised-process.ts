import { spawn } from 'node:child_process';

/** How much of what the process wrote to stderr is kept, in characters, the newest. */
const OUTPUT_LIMIT = 4_000;
/** What a shell answers for a command it does not find, used when it is the shell that is missing. */
const NO_SHELL = 127;

/**
 * Runs a command that cannot outlive this process, not even when this process is killed with SIGKILL: the shell holds
 * the reading end of a pipe whose writing end is ours, and end-of-file means we are gone. Everything runs in a process group of
 * its own, so Ctrl-C in the terminal does not stop it before we have finished with it. On end-of-file the group gets SIGTERM,
 * and SIGKILL after three seconds.
 */
const SUPERVISOR = `
trap : HUP INT TERM
exec 3<&0 </dev/null
"$@" 3<&- &
child=$!
(
  trap : HUP INT TERM
  while read -r _ <&3; do :; done
  kill -s TERM -- -$$
  tries=0
  while kill -s 0 "$child" 2>/dev/null && [ "$tries" -lt 30 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL -- -$$
) 2>/dev/null &
watcher=$!
exec 3<&-
wait "$child"
status=$?
while [ "$status" -gt 128 ] && kill -s 0 "$child" 2>/dev/null; do
  wait "$child"
  status=$?
done
kill -s KILL "$watcher" 2>/dev/null
exit "$status"
`;

export interface SupervisedProcess {
  /** Settles when the process has ended, with its exit status (null when it was killed). */
  readonly exited: Promise<number | null>;
  hasExited(): boolean;
  /** The last few thousand characters of what it wrote to stderr. */
  errorOutput(): string;
  /** Ends it and waits until it has ended. Calling it again is harmless. */
  stop(): Promise<void>;
}

/** Starts `command` under the supervisor; needs a POSIX `sh`. */
export function startSupervisedProcess(command: readonly string[]): SupervisedProcess {
  const shell = spawn('sh', ['-c', SUPERVISOR, 'supervisor', ...command], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  let ended = false;
  shell.stderr.setEncoding('utf8');
  shell.stderr.on('data', (chunk: string) => {
    output = (output + chunk).slice(-OUTPUT_LIMIT);
  });
  // Writing end-of-file to a shell that has already gone is not an error.
  shell.stdin.on('error', () => undefined);
  const exited = new Promise<number | null>((resolve) => {
    const end = (status: number | null) => {
      ended = true;
      resolve(status);
    };
    shell.once('error', () => end(NO_SHELL));
    shell.once('close', end);
  });
  return {
    exited,
    hasExited: () => ended,
    errorOutput: () => output,
    stop: async () => {
      shell.stdin.end();
      await exited;
    },
  };
}
