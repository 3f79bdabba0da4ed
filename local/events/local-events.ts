/** The events of a local run: the last of them for the demo page, all of them for a target where there is one. */

import { join } from 'node:path';
import type { EventOutlet } from '../../shared/data/events/event-outlet.ts';
import { timeOfShow } from '../../shared/data/shows/show-store.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import { createEndings, ENDING_TYPES } from './endings.ts';
import { type Deliver, postTo, startEventDelivery } from './event-delivery.ts';
import { openWaitingEvents } from './waiting-events.ts';

/** How many the demo page shows. */
const LAST = 20;

export interface EventTarget {
  /** An address to post to; without one, events are printed. */
  readonly url?: string | undefined;
  /** Takes one line without its end. */
  readonly print: (line: string) => Promise<void>;
}

interface LocalEventsOptions {
  readonly target: EventTarget | undefined;
  /** Where the events are kept; absent keeps nothing. */
  readonly folder: string | undefined;
  /** The last events are of what happened from then on, milliseconds: the demo's answers of half a year are not. */
  readonly since?: number;
  readonly onFailure: (error: unknown) => void;
}

export interface LocalEvents {
  readonly outlet: EventOutlet;
  /** The newest first. */
  last(): readonly CanvassEvent[];
  stop(): Promise<void>;
}

/** An impression is told with the time at which it was stored; its id ends with that of the show. */
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

/** A line that cannot be printed yet waits no longer than a request would. */
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
