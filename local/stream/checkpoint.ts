import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';

const checkpointSchema = z.object({
  streamArn: z.string(),
  shardId: z.string(),
  /** Of the last record that was handled; absent before the first. */
  sequenceNumber: z.exactOptional(z.string()),
  /** Of the last record of the batch that was being handled. */
  underWay: z.exactOptional(z.string()),
});

export type StreamCheckpoint = z.infer<typeof checkpointSchema>;

export interface CheckpointStore {
  /** @throws {LocalError} `checkpoint_unusable` */
  load(): StreamCheckpoint | undefined;
  save(checkpoint: StreamCheckpoint): void;
}

/** Keeps the checkpoint in a file that is replaced whole, so that a crash leaves the old or the new one. */
export function fileCheckpoint(file: string): CheckpointStore {
  return {
    load: () => {
      try {
        const text = readPrivateFile(file);
        return text === undefined ? undefined : checkpointSchema.parse(JSON.parse(text));
      } catch (cause) {
        const message = `The stream checkpoint ${file} cannot be read. Deleting it may count answers a second time.`;
        throw new LocalError('checkpoint_unusable', message, { cause });
      }
    },
    save: (checkpoint) => writePrivateFile(file, JSON.stringify(checkpoint)),
  };
}
