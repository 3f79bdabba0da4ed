/** Events of a local run that wait to be taken, in a file of the data folder, so that a restart finds them again. */

import { closeSync, openSync } from 'node:fs';
import { visibleJson } from '../../shared/domain/escapes.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import { sqliteDatabase } from '../sqlite.ts';

export interface WaitingEvents {
  /** One that waits already, by its id, waits once. */
  add(events: readonly CanvassEvent[]): void;
  ofTypes(types: readonly string[]): readonly CanvassEvent[];
  /** Changes those that name one of these ids. */
  change(ids: readonly unknown[], change: (event: CanvassEvent) => CanvassEvent): void;
  /** Ids of some that are due, the longest first; milliseconds since the epoch. */
  due(now: number): readonly string[];
  /** The event as JSON, as it is now; undefined once it is removed. */
  textOf(id: string): string | undefined;
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
  const database = new (sqliteDatabase())(file ?? ':memory:');
  // What is deleted or changed is overwritten: events name people. What waited before a restart is due at once.
  database.exec(`
    PRAGMA secure_delete = ON;
    CREATE TABLE IF NOT EXISTS events (place INTEGER PRIMARY KEY, id TEXT UNIQUE, text TEXT, due INTEGER);
    UPDATE events SET due = 0`);
  const insert = database.prepare('INSERT OR IGNORE INTO events (id, text, due) VALUES (?, ?, 0)');
  const select = database.prepare(`SELECT id FROM events WHERE due <= ? ORDER BY due, place LIMIT ${SOME}`);
  const read = database.prepare('SELECT text FROM events WHERE id = ?');
  const naming = database.prepare('SELECT id, text FROM events WHERE instr(text, ?)');
  const ofType = database.prepare(`SELECT text FROM events WHERE text ->> '$."detail-type"' = ?`);
  const rewrite = database.prepare('UPDATE events SET text = ? WHERE id = ?');
  const earliest = database.prepare('SELECT min(due) AS due FROM events');
  const update = database.prepare('UPDATE events SET due = ? WHERE id = ?');
  const erase = database.prepare('DELETE FROM events WHERE id = ?');

  return {
    add(events) {
      database.exec('BEGIN');
      for (const event of events) insert.run(event.detail.id, visibleJson(event));
      database.exec('COMMIT');
    },
    ofTypes: (types) => types.flatMap((type) => ofType.all(type).map(({ text }) => JSON.parse(String(text)))),
    change(ids, change) {
      for (const named of ids) {
        for (const { id, text } of naming.all(visibleJson(named))) {
          const event: CanvassEvent = JSON.parse(String(text));
          const changed = change(event);
          if (changed !== event) rewrite.run(visibleJson(changed), String(id));
        }
      }
    },
    due: (now) => select.all(now).map(({ id }) => String(id)),
    textOf(id) {
      const text = read.get(id)?.text;
      return text === undefined ? undefined : String(text);
    },
    nextDue() {
      const due = earliest.get()?.due;
      return due === undefined || due === null ? undefined : Number(due);
    },
    delay: (id, until) => void update.run(until, id),
    remove: (id) => void erase.run(id),
    close: () => database.close(),
  };
}
