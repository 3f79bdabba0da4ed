import type { Reason } from './events.ts';
import type { UserToken } from './options.ts';
import type { Post, Reply } from './post.ts';
import type { ClientStorage } from './storage.ts';
import type { Binding, Survey } from './survey.ts';
import { stickyHash } from './targeting.ts';
import { FRESH_MS } from './times.ts';

/** What this client knows beside the first four types (docs/contract.md §3.3). */
export const TYPES = 'thumbs,pages,events';

/** Who the person is, as far as the page has said. */
export interface Person {
  /** The page's id of the person; empty where it has given none. */
  name: string;
  traits: Readonly<Record<string, unknown>>;
  /** Proof of the name, where the page has given one. */
  token?: UserToken | undefined;
  /** The name, else a random id of this device. */
  readonly id: () => string;
}

/** What surveys say of whom they are meant for, where and when they are asked. */
export interface Conditions {
  /** Why this survey is not for this person, or not for this page. */
  readonly refusal: (survey: Survey, binding: Binding | undefined) => Reason | undefined;
  /** Milliseconds before it may be asked by itself; without end where its event has not happened. */
  readonly dueIn: (survey: Survey) => number | undefined;
}

/** What the service says may be asked of this person. */
export interface Eligibility {
  /**
   * The service's last word, asked for when there is none or it is older than half an hour. Undefined when it is
   * forgotten meanwhile.
   */
  readonly fetch: () => Promise<Reply | undefined>;
  /** The person has answered, or is another one: what the service said no longer holds. */
  readonly forget: () => void;
  /** The service's last word; empty when it is forgotten. */
  readonly reply: () => Reply['data'];
  /** Sticky hash of the person and a survey. */
  readonly markOf: (survey: Pick<Survey, 'id'>) => number;
  /** Whether an answer waits here, in any tab, or has arrived since the service was asked. */
  readonly isSeen: (survey: Survey) => boolean;
  /** Milliseconds before a survey may be asked by itself; without end where its event has not happened. */
  readonly dueIn: (survey: Survey) => number | undefined;
  /** Why this person may not be asked this survey; undefined: they may. */
  readonly refusal: (survey: Survey, binding: Binding | undefined) => Reason | undefined;
}

/**
 * @param flush sends what was answered here, so that the service knows of it when it decides what may be asked
 * @param conditions fetches what applies samples, targeting, pages and events
 */
export function createEligibility(
  key: string,
  person: Person,
  { read }: ClientStorage,
  flush: () => Promise<void>,
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
    const userToken = await (typeof token === 'function' ? token() : token);
    askedAt = Date.now();
    const reply = await post('/v1/sdk/bootstrap', { key, userId, userToken, types: TYPES });
    // The page may have kept the token until it expired.
    const isRefused = reply.data.error?.code === 'invalid_identity';
    return isRefused && token !== userToken && !isAgain ? request(true) : reply;
  };
  const markOf = (survey: Pick<Survey, 'id'>) => stickyHash(person.id(), survey.id);
  const isSeen = (survey: Survey) => {
    const { outbox, seen } = read();
    const mark = markOf(survey);
    return outbox.some((kept) => kept.mark === mark) || (seen[mark] ?? 0) >= askedAt;
  };

  return {
    async fetch() {
      if (Date.now() - askedAt > FRESH_MS) asked = undefined;
      asked ??= request().catch((cause) => ({ status: 0, data: {}, cause }));
      const mine = asked;
      const reply = await mine;
      if (
        reply.data.surveys?.some(
          ({ targeting, pages, on, samplePercent }) =>
            (targeting ?? pages ?? on ?? samplePercent) !== undefined,
        )
      )
        meant ??= await conditions();
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
