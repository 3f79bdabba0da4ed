/** Where a command's result goes. */

import { fstatSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';

/**
 * The standard output of this process. Node's own stream to a file writes once and does not look at how much was
 * written: what a full disk cuts off would be missing without an error (lib/internal/fs/sync_write_stream.js of Node 24).
 */
export function standardOutput(): Writable {
  const { fd } = process.stdout;
  if (!fstatSync(fd).isFile()) return process.stdout;
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        writeFileSync(fd, chunk);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}
