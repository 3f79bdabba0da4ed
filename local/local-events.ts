/** Keeps the latest events for the demo page, and delivers all events to a target. */

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { timeOfShow } from '../shared/data/shows/show-store.ts';
import { inFlight } from '../shared/data/table/retry.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { visibleJson } from '../shared/domain/escapes.ts';
import { type CanvassEvent, deliverable, type EventType, withoutText } from '../shared/domain/happening.ts';
import { BoundedMap } from '../shared/domain/memory.ts';
import { prepareDatabaseFile, sqliteDatabase } from './data-folder.ts';

/**
 * Types of events that delete something, with the field of its id. Waiting events about it lose text, traits and
 * contact.
 */
const ENDS: Partial<Record<EventType, 'answerId' | 'respondentId' | 'surveyId' | 'projectId'>> = {
  'Response Withdrawn': 'answerId',
  'Respondent Erased': 'respondentId',
  'Survey Purged': 'surveyId',
  'Account Purged': 'projectId',
};
const ENDING_TYPES = Object.keys(ENDS);
const FIELDS = Object.values(ENDS);

/** Ids are remembered because erasures may overtake answers. */
const MOST_REMEMBERED = 1_000;

const keyOf = ({ detail }: CanvassEvent, field: string): string =>
  JSON.stringify([detail.projectId, field, detail[field]]);

function createEndings() {
  const ends = new BoundedMap<string, number>(MOST_REMEMBERED);
  return {
    note(event: CanvassEvent): readonly unknown[] {
      const field = ENDS[event['detail-type']];
      if (field === undefined) return [];
      ends.set(keyOf(event, field), Date.parse(String(event.detail.at)));
      return [event.detail[field]];
    },
    strip(event: CanvassEvent): CanvassEvent {
      const { detail } = event;
      if (!('text' in detail)) return event;
      const at = Date.parse(String(detail.at));
      const hasEnded = FIELDS.some(
        (field) => at <= (ends.get(keyOf(event, field)) ?? Number.NEGATIVE_INFINITY),
      );
      return hasEnded ? withoutText(event) : event;
    },
  };
}

const LAST = 20;

export interface EventTarget {
  readonly url?: string | undefined;
  /** @param line without a line break */
  readonly print: (line: string) => Promise<void>;
}

interface LocalEventsOptions {
  readonly target: EventTarget | undefined;
  readonly folder: string | undefined;
  /** Excludes events before this time, such as the demo's own answers; milliseconds since the epoch. */
  readonly since?: number;
  readonly onFailure: (error: unknown) => void;
}

/** The `at` of an impression event is when it was stored. The event's id ends with the id of the impression. */
const timeOf = ({ 'detail-type': type, detail: { id, at } }: CanvassEvent): number =>
  type === 'Survey Shown' ? timeOfShow(id.slice(id.lastIndexOf('-') + 1)) : Date.parse(String(at));

export function openLocalEvents({ target, folder, since = 0, onFailure }: LocalEventsOptions) {
  const last = new Map<string, CanvassEvent>();
  const endings = createEndings();
  const sending = target && startSending(target, folder, onFailure);
  for (const event of sending?.waiting.ofTypes(ENDING_TYPES) ?? []) endings.note(event);

  return {
    outlet: {
      async send(told: readonly CanvassEvent[]) {
        const ended = told.flatMap(endings.note);
        const events = told.map(endings.strip);
        sending?.waiting.change(ended, endings.strip);
        sending?.add(events);
        const recent = events.filter((event) => timeOf(event) >= since);
        for (const event of [...last.values(), ...recent]) last.set(event.detail.id, endings.strip(event));
        for (const id of [...last.keys()].slice(0, -LAST)) last.delete(id);
      },
    },
    /** Newest first. */
    last: (): readonly CanvassEvent[] =>
      [...last.values()].reverse().map((event) => deliverable(event, Date.now())),
    stop: async () => sending?.stop(),
  };
}

export type LocalEvents = ReturnType<typeof openLocalEvents>;

/** Printing an event has the same timeout as a request. */
const printWith =
  (print: EventTarget['print']): Deliver =>
  (text, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      print(text).then(resolve, reject);
    });

function startSending(
  { url, print }: EventTarget,
  folder: string | undefined,
  onFailure: (error: unknown) => void,
) {
  const waiting = openWaitingEvents(folder && join(folder, 'events.db'));
  const deliver = url === undefined ? printWith(print) : postTo(url);
  const delivery = startEventDelivery({ waiting, deliver, onFailure });
  return {
    waiting,
    add(events: readonly CanvassEvent[]): void {
      waiting.add(events);
      delivery.wake();
    },
    async stop(): Promise<void> {
      await delivery.stop();
      waiting.close();
    },
  };
}

const SOME = 100;

/** @param file in the data folder; by default, events wait in memory */
function openWaitingEvents(file?: string) {
  if (file !== undefined) prepareDatabaseFile(file);
  const database = new (sqliteDatabase())(file ?? ':memory:');
  // Overwrites deleted data, because events can identify people. After a restart, all events are due.
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
    /** Ids of some due events, longest due first. */
    due: (now: number): readonly string[] => select.all(now).map(({ id }) => String(id)),
    textOf(id: string): string | undefined {
      const text = read.get(id)?.text;
      return text === undefined ? undefined : String(text);
    },
    nextDue(): number | undefined {
      const due = earliest.get()?.due;
      return due === undefined || due === null ? undefined : Number(due);
    },
    rewrite: (id: string, text: string): void => void rewrite.run(text, id),
    delay: (id: string, until: number): void => void update.run(until, id),
    remove: (id: string): void => void erase.run(id),
    close: (): void => database.close(),
  };
}
type WaitingEvents = ReturnType<typeof openWaitingEvents>;

/** Delivers an event's JSON. @throws if the delivery fails */
type Deliver = (text: string, signal: AbortSignal) => Promise<void>;

/** EventBridge, "API destinations as targets": 5 seconds. */
const ATTEMPT_MS = 5 * SECOND;
const FIRST_PAUSE_MS = SECOND / 2;
/** Short enough that an attempt and a pause together take at most ten seconds. */
const LONGEST_PAUSE_MS = 5 * SECOND;
const LAST_ATTEMPT_MS = 2 * SECOND;
const REQUESTS_IN_FLIGHT = 4;

/** Sends one request per event. Only a 2xx counts as success. */
const postTo =
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

/** Retries each event independently of the others. */
function startEventDelivery({ waiting, deliver, onFailure }: DeliveryOptions) {
  const pauses = new Map<string, number>();
  const stopping = new AbortController();
  const last = new AbortController();
  let woken = new AbortController();
  let isFailing = false;

  async function attempt(id: string): Promise<void> {
    const waits = waiting.textOf(id);
    if (waits === undefined) return;
    const event: CanvassEvent = JSON.parse(waits);
    const told = deliverable(event, Date.now());
    const text = visibleJson(told);
    // Expired text is removed from the file too, even if the delivery fails.
    if (told.detail !== event.detail) waiting.rewrite(id, text);
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
    /** Tries once more for two seconds. Remaining events wait for the next start. */
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
