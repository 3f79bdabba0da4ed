/** Loaded on demand, if a listed survey has an audience, pages or an event, or after an answer in this browser. */

import { CAPABILITIES, type Conditions } from './eligibility.ts';
import type { Emitter } from './events.ts';
import type { Client, OwnEvents } from './modules.ts';
import type { Reply } from './post.ts';
import type { SurveyEvent } from './survey.ts';
import { isOnPage, isTargeted } from './targeting.ts';
import { FRESH_MS, LONGEST_MS, PATH_MS } from './times.ts';

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

type Watched = Pick<Client, 'eligibility' | 'visit' | 'person' | 'signal' | 'storage' | 'post' | 'options'>;

/**
 * The person who answered in this browser before somebody signed in or out. Forgets all others, so that a shared
 * browser keeps one person's id, for 30 days.
 */
function idBefore({ person, storage }: Watched): string | undefined {
  const { device = '', seen } = storage.read();
  const since = (id: string) => seen[`@${id}`] ?? 0;
  const signedIn = Object.keys(seen).filter((name) => /^@(?!undefined$)/.test(name) && name !== `@${device}`);
  const [latest = ''] = signedIn.map((name) => name.slice(1)).sort((a, b) => since(b) - since(a));
  const isRecent = (id: string) => since(id) > Date.now() - LONGEST_MS;
  const isKept = (name: string) =>
    !name.startsWith('@') || ([device, latest].includes(name.slice(1)) && isRecent(name.slice(1)));
  if (!Object.keys(seen).every(isKept))
    storage.update({ seen: Object.fromEntries(Object.entries(seen).filter(([name]) => isKept(name))) });
  const id = person.name ? device : latest;
  return isRecent(id) ? id : undefined;
}

interface Remembering extends Conditions {
  /** Asks the service about the person before as well, so that their quiet period continues. */
  readonly remember: () => Promise<void>;
}

const made = new WeakMap<Watched, Remembering>();

/** Returns one object per client. @param consider repeats the decision about what to ask */
export function createConditions(
  client: Watched,
  on: Emitter<OwnEvents>['on'],
  consider: () => void,
): Remembering {
  const known = made.get(client);
  if (known) return known;
  const { eligibility, visit, person, signal, post, options, storage } = client;
  const hasHappened = ({ event, times = 1 }: SurveyEvent) =>
    visit.read().events.filter((name) => name === event).length >= times;
  /** Prevents repeated events from making other surveys wait again. */
  const due = new Set<string>();
  /** The service's earlier decision about the person, and the request that it belongs to. */
  let before: { readonly data: Reply['data']; readonly of: string } | undefined;

  const conditions: Remembering = {
    refusal({ id, pages, targeting, samplePercent = 100 }, binding) {
      // With required identity, the reply about the device has surveys without tokens, which says nothing.
      const isSilent = before?.data.surveys && !before.data.showTokens;
      if (!binding && before && !isSilent && !before.data.showTokens?.[id])
        return before.data.suppression?.includes(id) ? 'suppressed' : 'no-token';
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
    async remember() {
      const userId = idBefore(client);
      const of = JSON.stringify([
        userId,
        storage.read().seen[`@${userId}`],
        Math.floor(Date.now() / FRESH_MS),
      ]);
      if (!userId) before = undefined;
      else if (before?.of !== of) {
        const { data } = await post('/v1/sdk/bootstrap', { key: options.key, userId, types: CAPABILITIES });
        if (idBefore(client) !== userId) return;
        // Without a reply, nothing is asked, and the next decision requests it again.
        before = { data, of: data.surveys ? of : '' };
      }
    },
  };
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

export async function mount(...given: Parameters<typeof createConditions>): Promise<Conditions> {
  const conditions = createConditions(...given);
  await conditions.remember();
  return conditions;
}
