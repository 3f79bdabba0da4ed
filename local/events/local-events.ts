/** The latest for the demo page, and all for a target. */

import { join } from 'node:path';
import type { EventOutlet } from '../../shared/data/events/event-outlet.ts';
import { timeOfShow } from '../../shared/data/shows/show-store.ts';
import type { CanvassEvent, EventType } from '../../shared/domain/happening.ts';
import { BoundedMap } from '../../shared/domain/memory.ts';
import { type Deliver, openWaitingEvents, postTo, startEventDelivery } from './event-delivery.ts';

/** End something, by id. Its other events lose text, traits and contact. */
const ENDS: Partial<Record<EventType, 'answerId' | 'respondentId' | 'surveyId' | 'projectId'>> = {
  'Response Withdrawn': 'answerId',
  'Respondent Erased': 'respondentId',
  'Survey Purged': 'surveyId',
  'Account Purged': 'projectId',
};
const ENDING_TYPES = Object.keys(ENDS);
const FIELDS = Object.values(ENDS);

/** Erasures may overtake answers. */
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
      return hasEnded ? { ...event, detail: { ...detail, text: null, traits: null, contact: null } } : event;
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
  /** Excludes the demo's own answers; milliseconds since the epoch. */
  readonly since?: number;
  readonly onFailure: (error: unknown) => void;
}

export interface LocalEvents {
  readonly outlet: EventOutlet;
  last(): readonly CanvassEvent[];
  stop(): Promise<void>;
}

/** An impression's `at` is when it was stored. Its id ends with the show's. */
const timeOf = ({ 'detail-type': type, detail: { id, at } }: CanvassEvent): number =>
  type === 'Survey Shown' ? timeOfShow(id.slice(id.lastIndexOf('-') + 1)) : Date.parse(String(at));

export function openLocalEvents({ target, folder, since = 0, onFailure }: LocalEventsOptions): LocalEvents {
  const last = new Map<string, CanvassEvent>();
  const endings = createEndings();
  const sending = target && startSending(target, folder, onFailure);
  for (const event of sending?.waiting.ofTypes(ENDING_TYPES) ?? []) endings.note(event);

  return {
    outlet: {
      async send(told) {
        const ended = told.flatMap(endings.note);
        const events = told.map(endings.strip);
        sending?.waiting.change(ended, endings.strip);
        sending?.add(events);
        const recent = events.filter((event) => timeOf(event) >= since);
        for (const event of [...last.values(), ...recent]) last.set(event.detail.id, endings.strip(event));
        for (const id of [...last.keys()].slice(0, -LAST)) last.delete(id);
      },
    },
    last: () => [...last.values()].reverse(),
    stop: async () => sending?.stop(),
  };
}

/** Printing has the timeout of a request. */
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
