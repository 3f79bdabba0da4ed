/** Loaded on demand, if a listed survey has an audience, pages or an event. */

import type { Conditions } from './eligibility.ts';
import type { Emitter } from './events.ts';
import type { Client, OwnEvents } from './modules.ts';
import type { SurveyEvent } from './survey.ts';
import { isOnPage, isTargeted } from './targeting.ts';
import { PATH_MS } from './times.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const milliseconds = (text = ''): number => Number.parseInt(text, 10) * (UNITS[text.slice(-1)] ?? 0) || 0;

/** Polls the path if the Navigation API is missing. */
function followPath(signal: AbortSignal, changed: () => void): void {
  if (window.navigation || signal.aborted) return;
  let path = location.pathname;
  const timer = setInterval(() => {
    if (path === location.pathname) return;
    path = location.pathname;
    changed();
  }, PATH_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

type Watched = Pick<Client, 'eligibility' | 'visit' | 'person' | 'signal'>;

const made = new WeakMap<Watched, Conditions>();

/** Returns one object per client. @param consider repeats the decision about what to ask */
export function mount(client: Watched, on: Emitter<OwnEvents>['on'], consider: () => void): Conditions {
  const { eligibility, visit, person, signal } = client;
  const hasHappened = ({ event, times = 1 }: SurveyEvent) =>
    (visit.read().events ?? []).filter((name) => name === event).length >= times;
  /** Prevents repeated events from making other surveys wait again. */
  const due = new Set<string>();

  const conditions = made.get(client) ?? {
    refusal({ id, pages, targeting, samplePercent = 100 }, binding) {
      if (pages && !binding && !isOnPage(pages, location.pathname)) return 'page';
      if (!isTargeted(person.traits, targeting)) return 'targeting';
      return eligibility.markOf({ id }) % 100 < samplePercent ? undefined : 'sampled-out';
    },
    dueIn({ id, on: awaited, delayMs }) {
      if (!awaited) return delayMs;
      if (!hasHappened(awaited)) return Number.POSITIVE_INFINITY;
      due.add(id);
      return milliseconds(awaited.after);
    },
  };
  if (made.has(client)) return conditions;
  made.set(client, conditions);
  on('tracked', (event) => {
    const isNew = eligibility
      .reply()
      .surveys?.some(
        ({ id, on: awaited }) => awaited?.event === event && !due.has(id) && hasHappened(awaited),
      );
    if (isNew) consider();
  });
  followPath(signal, consider);
  return conditions;
}
