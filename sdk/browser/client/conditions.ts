/** Loaded on demand, if a listed survey has conditions or an opener, or after an answer in this browser. */

import { CAPABILITIES, type Conditions } from './eligibility.ts';
import type { Emitter } from './events.ts';
import type { Client, OwnEvents } from './modules.ts';
import type { Opener } from './opener.ts';
import type { Reply } from './post.ts';
import type { SurveyEvent } from './survey.ts';
import { isOnPage, isTargeted } from './targeting.ts';
import { FRESH_MS, LONGEST_MS, PATH_MS } from './times.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const milliseconds = (text = ''): number => Number.parseInt(text, 10) * (UNITS[text.slice(-1)] ?? 0) || 0;

/** Polls the path if the Navigation API is missing. */
function followPath(signal: AbortSignal, changed: () => void): void {
  if (signal.aborted || window.navigation) return;
  let path = location.pathname;
  const timer = setInterval(() => {
    if (path === location.pathname) return;
    path = location.pathname;
    changed();
  }, PATH_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

type Watched = Pick<Client, 'eligibility' | 'visit' | 'person' | 'signal' | 'storage' | 'post' | 'options'>;

/** The device and the latest person who signed in, if they answered within 30 days. Others are forgotten. */
function answeredLately({ storage }: Watched) {
  const { device = '', seen } = storage.read();
  const since = (id: string) => seen[`@${id}`] ?? 0;
  const signedIn = Object.keys(seen).filter((name) => /^@(?!undefined$)/.test(name) && name !== `@${device}`);
  const [person = ''] = signedIn.map((name) => name.slice(1)).sort((a, b) => since(b) - since(a));
  return [device, person].map((id) => (since(id) > Date.now() - LONGEST_MS ? id : undefined));
}

/** The person who answered in this browser before somebody signed in or out. */
function idBefore(client: Watched): string | undefined {
  const [device, person] = answeredLately(client);
  return client.person.name ? device : person;
}

/** Answers and dismissals of surveys, given before somebody signed in or out. They have yet to be delivered. */
function answersOfOthers({ storage, person }: Watched) {
  const { device, outbox } = storage.read();
  return outbox.filter(({ body: { userId, traits }, path }) => {
    // Ratings of messages have no traits, and no quiet period.
    const isAsked = traits !== undefined || path === '/v1/dismissals';
    return isAsked && userId !== person.id() && (userId === device) === Boolean(person.name);
  });
}

/** A shared browser keeps one person's id, for 30 days. */
function forgetOthers(client: Watched): void {
  const { seen } = client.storage.read();
  const kept = answeredLately(client);
  const left = Object.entries(seen).filter(([name]) => !name.startsWith('@') || kept.includes(name.slice(1)));
  if (left.length < Object.keys(seen).length) client.storage.update({ seen: Object.fromEntries(left) });
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
      forgetOthers(client);
      const waiting = answersOfOthers(client);
      if (waiting[0]) {
        // The service does not know of them yet.
        before = { data: { suppression: waiting.map(({ body }) => `${body.surveyId}`) }, of: '' };
        return;
      }
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
  on('track', (event) => {
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

const openers = new WeakMap<Client, Promise<Opener>>();

/** @param slug of a survey that the person opens now */
async function open(client: Client, on: Emitter<OwnEvents>['on'], slug?: string): Promise<void> {
  const isOffered = client.eligibility.reply().surveys?.some(({ trigger }) => trigger === 'person');
  if (!openers.has(client) && !isOffered && !slug) return;
  const opener =
    openers.get(client) ?? import('./opener.ts').then(({ createOpener }) => createOpener(client, on));
  openers.set(client, opener);
  const { refresh, open } = await opener;
  refresh();
  if (slug) await open(slug);
}

export async function mount(
  client: Client,
  on: Emitter<OwnEvents>['on'],
  consider: () => void,
  slug?: string,
): Promise<Conditions> {
  const conditions = createConditions(client, on, consider);
  const failed = (cause: unknown) => {
    openers.delete(client);
    client.emit('error', { cause });
  };
  // The client keeps the reply once this function has returned.
  const opening = () => setTimeout(() => open(client, on, slug).catch(failed));
  const { options, person, signal } = client;
  // Nobody could be recognized, or the page has no document.
  const isIgnored = signal.aborted || !(person.name || options.storage !== false);
  if (slug && !isIgnored) opening();
  await conditions.remember();
  if (!slug) opening();
  return conditions;
}
