/** What we do in the emulator's SQLite file beside it: keep writes fast, and erased words out of it. */

import { closeSync, openSync } from 'node:fs';
import { sqliteDatabase } from './sqlite.ts';

/** Rewriting the file stops this process for about 11 ms a megabyte; a larger one is rewritten when the service stops. */
const REWRITTEN_WHILE_RUNNING_BYTES = 64 * 1024 * 1024;

export interface DynoxideDatabase {
  /**
   * Deletes the table's stream records up to a sequence number, which no reader needs any more. With `isResting`, erased
   * words then leave the rest of the file as well: the emulator only unlinks what it deletes. Never throws: what cannot be
   * done now is done with a later call.
   */
  forget(tableName: string, sequenceNumber: string, isResting: boolean): void;
  /** To be called once the emulator has ended; where records were forgotten, erased words are gone then. */
  close(): void;
}

/** Makes the file, which only its owner reads, where there is none. */
export function createDatabaseFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

/** Opens the file of a running emulator, Dynoxide 1.2.1. */
export function openDatabase(file: string): DynoxideDatabase {
  const database = new (sqliteDatabase())(file, { timeout: 1_000 });
  // Each write reads all stream records to number the next: 7 ms after 40,000 that were not forgotten, as in tests.
  database.exec(`
    PRAGMA secure_delete = ON;
    CREATE INDEX IF NOT EXISTS canvass_stream_sequence
      ON _stream_records (table_name, CAST(sequence_number AS INTEGER))`);
  database.exec('PRAGMA busy_timeout = 50');
  let forgotten = '';
  let isLogStale = true;
  /** A process that was killed may have left some. */
  let hasErasedWords = true;

  function deleteRecords(tableName: string, sequenceNumber: string): void {
    const upTo = 'table_name = ? AND CAST(sequence_number AS INTEGER) <= CAST(? AS INTEGER)';
    const where = [tableName, sequenceNumber] as const;
    const shrinks = `event_name = 'REMOVE' OR length(new_image) < length(old_image)`;
    const shrunk = database.prepare(`SELECT 1 FROM _stream_records WHERE ${upTo} AND (${shrinks}) LIMIT 1`);
    hasErasedWords ||= shrunk.get(...where) !== undefined;
    // The newest stays, emptied: the emulator numbers the next record after it.
    const empty = `UPDATE _stream_records SET keys_json = '{}', new_image = NULL, old_image = NULL`;
    database.exec('BEGIN IMMEDIATE');
    try {
      database.prepare(`${empty} WHERE table_name = ? AND sequence_number = ?`).run(...where);
      database
        .prepare(`DELETE FROM _stream_records WHERE ${upTo} AND sequence_number <> ?`)
        .run(...where, sequenceNumber);
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
    isLogStale = true;
  }

  function cleanUp(largestBytes: number): void {
    const size = database.prepare(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
    );
    if (hasErasedWords && Number(size.get()?.bytes) <= largestBytes) {
      database.exec('VACUUM');
      hasErasedWords = false;
      isLogStale = true;
    }
    if (isLogStale) isLogStale = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0;
  }

  return {
    forget(tableName, sequenceNumber, isResting) {
      try {
        if (forgotten !== sequenceNumber) deleteRecords(tableName, sequenceNumber);
        forgotten = sequenceNumber;
        if (isResting) cleanUp(REWRITTEN_WHILE_RUNNING_BYTES);
      } catch {
        // The emulator is writing, or the disk is full.
      }
    },
    close() {
      try {
        if (forgotten !== '') cleanUp(Number.POSITIVE_INFINITY);
      } catch {
        // The disk is full: the next run does it.
      }
      database.close();
    },
  };
}
