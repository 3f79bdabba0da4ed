import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inFlight } from '../../shared/data/table/retry.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { visibleJson } from '../../shared/domain/escapes.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import { sqliteDatabase } from '../data-folder.ts';

const SOME = 100;

/** @param file in the data folder; in memory without */
export function openWaitingEvents(file?: string) {
  if (file !== undefined) closeSync(openSync(file, 'a', 0o600));
  const database = new (sqliteDatabase())(file ?? ':memory:');
  // Overwrites deleted data, because events name people. A restart makes all due.
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
    add(events: readonly CanvassEvent[]): void {
      database.exec('BEGIN');
      for (const event of events) insert.run(event.detail.id, visibleJson(event));
      database.exec('COMMIT');
    },
    ofTypes: (types: readonly string[]): readonly CanvassEvent[] =>
      types.flatMap((type) => ofType.all(type).map(({ text }) => JSON.parse(String(text)))),
    change(ids: readonly unknown[], change: (event: CanvassEvent) => CanvassEvent): void {
      for (const named of ids) {
        for (const { id, text } of naming.all(visibleJson(named))) {
          const event: CanvassEvent = JSON.parse(String(text));
          const changed = change(event);
          if (changed !== event) rewrite.run(visibleJson(changed), String(id));
        }
      }
    },
    /** Some ids, longest due first. */
    due: (now: number): readonly string[] => select.all(now).map(({ id }) => String(id)),
    textOf(id: string): string | undefined {
      const text = read.get(id)?.text;
      return text === undefined ? undefined : String(text);
    },
    nextDue(): number | undefined {
      const due = earliest.get()?.due;
      return due === undefined || due === null ? undefined : Number(due);
    },
    delay: (id: string, until: number): void => void update.run(until, id),
    remove: (id: string): void => void erase.run(id),
    close: (): void => database.close(),
  };
}
type WaitingEvents = ReturnType<typeof openWaitingEvents>;

export type Deliver = (text: string, signal: AbortSignal) => Promise<void>;

/** EventBridge, "API destinations as targets": 5 seconds. */
const ATTEMPT_MS = 5 * SECOND;
const FIRST_PAUSE_MS = SECOND / 2;
/** An attempt and a pause take at most ten seconds. */
const LONGEST_PAUSE_MS = 5 * SECOND;
const LAST_ATTEMPT_MS = 2 * SECOND;
const REQUESTS_IN_FLIGHT = 4;

/** One event per request; only a 2xx succeeds. */
export const postTo =
  (url: string): Deliver =>
  async (text, signal) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(url, { method: 'POST', headers, body: text, redirect: 'manual', signal });
    await reply.body?.cancel();
    if (!reply.ok) throw new Error(`it answered ${reply.status}`);
  };

interface DeliveryOptions {
  readonly waiting: WaitingEvents;
  readonly deliver: Deliver;
  readonly onFailure: (error: unknown) => void;
}

/** Retries events independently. */
export function startEventDelivery({ waiting, deliver, onFailure }: DeliveryOptions) {
  const pauses = new Map<string, number>();
  const stopping = new AbortController();
  const last = new AbortController();
  let woken = new AbortController();
  let isFailing = false;

  async function attempt(id: string): Promise<void> {
    const text = waiting.textOf(id);
    if (text === undefined) return;
    try {
      await deliver(text, AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), last.signal]));
      waiting.remove(id);
      pauses.delete(id);
      isFailing = false;
    } catch (error) {
      const pause = Math.min(LONGEST_PAUSE_MS, 2 * (pauses.get(id) ?? FIRST_PAUSE_MS / 2));
      pauses.set(id, pause);
      waiting.delay(id, Date.now() + pause);
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      const isLast = stopping.signal.aborted;
      woken = new AbortController();
      for (let due = waiting.due(Date.now()); due.length > 0; due = waiting.due(Date.now())) {
        await inFlight(due, REQUESTS_IN_FLIGHT, attempt);
        if (stopping.signal.aborted && !isLast) break;
      }
      if (isLast) return;
      const next = waiting.nextDue();
      const pause = next === undefined ? undefined : Math.max(0, next - Date.now());
      const signal = AbortSignal.any([woken.signal, stopping.signal]);
      if (pause === undefined) await aborted(signal);
      else await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    wake: (): void => woken.abort(),
    /** Tries once more, for two seconds. The rest waits for the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      const timer = setTimeout(() => last.abort(), LAST_ATTEMPT_MS);
      await running;
      clearTimeout(timer);
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
