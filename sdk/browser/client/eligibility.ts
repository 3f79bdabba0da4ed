import { stickyHash } from '../../../shared/domain/surveys/sticky-hash.ts';
import type { Reason } from './events.ts';
import type { UserToken } from './options.ts';
import type { Post, Reply } from './post.ts';
import type { ClientStorage } from './storage.ts';
import type { Binding, Survey } from './survey.ts';
import { FRESH_MS, TIMEOUT_CODE } from './times.ts';

/** Features beyond the first four survey types (docs/contract.md §3.3). */
export const CAPABILITIES = 'thumbs,pages,events,by-rating,choice,open,person';

export interface Person {
  /** The page's id for the person. */
  name: string;
  traits: Readonly<Record<string, unknown>>;
  token?: UserToken | undefined;
  /** The name, or a random id of this device. */
  readonly id: () => string;
}

/** @returns the person whom the page's id names; empty if it names nobody */
export const nameOf = (userId: unknown, said = `${userId ?? ''}`) =>
  userId === Object(userId) || /^(undefined|null|NaN|true|false|\[obj.*)?$/.test(said.trim()) ? '' : said;

export interface Conditions {
  readonly refusal: (survey: Survey, binding: Binding | undefined) => Reason | undefined;
  /** Milliseconds, or infinite until the survey's event happens. */
  readonly dueIn: (survey: Survey) => number | undefined;
}

export interface Eligibility {
  /** The latest reply, at most half an hour old. Undefined if it was discarded in the meantime. */
  readonly fetch: () => Promise<Reply | undefined>;
  readonly forget: () => void;
  readonly reply: () => Reply['data'];
  readonly markOf: (survey: Pick<Survey, 'id'>) => number;
  /** Whether an answer waits in any tab, or was delivered after the reply. */
  readonly isSeen: (survey: Survey) => boolean;
  readonly dueIn: (survey: Survey) => number | undefined;
  readonly refusal: (survey: Survey, binding: Binding | undefined) => Reason | undefined;
}

/**
 * @param signal the client's end, which ends its request
 * @param flush sends pending answers first, so that the service considers them
 * @param conditions applies sampling, targeting, pages and events
 */
export function createEligibility(
  key: string,
  person: Person,
  { read }: ClientStorage,
  signal: AbortSignal,
  flush: () => unknown,
  post: Post,
  conditions: () => Promise<Conditions>,
): Eligibility {
  let asked: Promise<Reply> | undefined;
  let askedAt = Date.now();
  let data: Reply['data'] = {};
  let meant: Conditions | undefined;

  const request = async (isAgain = false): Promise<Reply> => {
    await flush();
    const { token } = person;
    const userId = person.id();
    const userToken = typeof token === 'function' ? await token() : token;
    askedAt = Date.now();
    const reply = await post('/v1/sdk/bootstrap', { key, userId, userToken, types: CAPABILITIES }, 0, signal);
    // The page's token may have expired in the meantime.
    const isRefused = reply.data.error?.code === 'invalid_identity' && token !== userToken;
    const isWorthIt = isRefused || reply.cause?.code === TIMEOUT_CODE;
    return isWorthIt && !isAgain ? request(true) : reply;
  };
  const markOf = (survey: Pick<Survey, 'id'>) => stickyHash(person.id(), survey.id);
  const isSeen = (survey: Survey) => {
    const mark = markOf(survey);
    return read().outbox.some((kept) => kept.mark === mark) || (read().seen[mark] ?? 0) >= askedAt;
  };

  return {
    async fetch() {
      if (Date.now() - askedAt > FRESH_MS) asked = undefined;
      asked ??= request().catch((cause) => ({ status: 0, data: {}, cause }));
      const mine = asked;
      const reply = await mine;
      // Names of fields, and of people who have answered in this browser. An answer that waits has `tries`.
      if (/"(@|tar|p[ae]|on|sam|tries)/.test(JSON.stringify([reply.data, read()])))
        meant = await conditions();
      if (mine !== asked) return undefined;
      data = reply.data;
      return reply;
    },
    forget() {
      asked = undefined;
      data = {};
    },
    reply: () => data,
    dueIn: (survey) => (meant ? meant.dueIn(survey) : survey.delayMs),
    markOf,
    isSeen,
    refusal(survey, binding) {
      if (!binding) {
        if (isSeen(survey) || data.suppression?.includes(survey.id)) return 'suppressed';
        if (!data.showTokens?.[survey.id]) return 'no-token';
      }
      return meant?.refusal(survey, binding);
    },
  };
}
