/** Events of a local run that wait to be taken, in a file of the data folder, so that a restart finds them again. */

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { CanvassEvent } from '../../shared/domain/happening.ts';

export interface WaitingEvent {
  readonly id: string;
  /** JSON. */
  readonly text: string;
}

export interface WaitingEvents {
  /** One that waits already, by its id, waits once. */
  add(events: readonly CanvassEvent[]): void;
  /** Some that are due, the longest first; milliseconds since the epoch. */
  due(now: number): readonly WaitingEvent[];
  /** When the next one is due; undefined when none waits. */
  nextDue(): number | undefined;
  delay(id: string, until: number): void;
  remove(id: string): void;
  close(): void;
}

const SOME = 100;

/** @param file of the data folder; without one, events wait in memory */
export function openWaitingEvents(file?: string): WaitingEvents {
  // Only its owner reads it.
  if (file !== undefined) closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file ?? ':memory:');
  // What is deleted is overwritten: events name people. What waited before a restart is due at once.
  database.exec(`
    PRAGMA secure_delete = ON;
    CREATE TABLE IF NOT EXISTS events (place INTEGER PRIMARY KEY, id TEXT UNIQUE, text TEXT, due INTEGER);
    UPDATE events SET due = 0`);
  const insert = database.prepare('INSERT OR IGNORE INTO events (id, text, due) VALUES (?, ?, 0)');
  const select = database.prepare(
    `SELECT id, text FROM events WHERE due <= ? ORDER BY due, place LIMIT ${SOME}`,
  );
  const earliest = database.prepare('SELECT min(due) AS due FROM events');
  const update = database.prepare('UPDATE events SET due = ? WHERE id = ?');
  const erase = database.prepare('DELETE FROM events WHERE id = ?');

  return {
    add(events) {
      database.exec('BEGIN');
      for (const event of events) insert.run(event.detail.id, JSON.stringify(event));
      database.exec('COMMIT');
    },
    due: (now) => select.all(now).map(({ id, text }) => ({ id: String(id), text: String(text) })),
    nextDue() {
      const due = earliest.get()?.due;
      return due === undefined || due === null ? undefined : Number(due);
    },
    delay: (id, until) => void update.run(until, id),
    remove: (id) => void erase.run(id),
    close: () => database.close(),
  };
}
