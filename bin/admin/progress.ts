/** A bar on a terminal, and nothing where nobody looks. */

export interface Progress {
  /** Shows how far it is, from 0 to 1, and what there is to say. */
  show(done: number, text: string): void;
  /** Leaves the line empty for what comes next. */
  clear(): void;
}

const WIDTH = 30;
const INTERVAL_MS = 100;

export function createProgress(stream: NodeJS.WriteStream, now: () => number = Date.now): Progress {
  if (stream.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(done, text) {
      if (now() - shownAt < INTERVAL_MS) return;
      shownAt = now();
      const filled = Math.round(Math.min(1, done) * WIDTH);
      const bar = '#'.repeat(filled) + '.'.repeat(WIDTH - filled);
      stream.write(`\r\x1b[K[${bar}] ${String(Math.floor(done * 100)).padStart(3)}%  ${text}`);
    },
    clear() {
      stream.write('\r\x1b[K');
    },
  };
}
