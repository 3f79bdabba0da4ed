import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { LocalError } from './local-error.ts';

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
      let text: string;
      try {
        text = readFileSync(file, 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw unusable(file, error);
      }
      try {
        return checkpointSchema.parse(JSON.parse(text));
      } catch (error) {
        throw unusable(file, error);
      }
    },
    save: (checkpoint) => {
      const next = `${file}.next`;
      writeFileSync(next, JSON.stringify(checkpoint), { flush: true });
      renameSync(next, file);
    },
  };
}

/** Keeps the checkpoint as long as the process lives, for a DynamoDB that keeps its data no longer. */
export function memoryCheckpoint(): CheckpointStore {
  let kept: StreamCheckpoint | undefined;
  return {
    load: () => kept,
    save: (checkpoint) => {
      kept = checkpoint;
    },
  };
}

function unusable(file: string, cause: unknown): LocalError {
  const advice = 'Deleting it counts every answer a second time.';
  return new LocalError('checkpoint_unusable', `The stream checkpoint ${file} cannot be read. ${advice}`, {
    cause,
  });
}
