/** Requests to the service with the key of this tab. */

export type Query = Readonly<Record<string, string | undefined>>;

/** An error with a message for the reader. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const NO_ANSWER = 'The service did not respond. Check your connection, then try again.';

function explain(status: number): string {
  switch (status) {
    case 400:
      return 'These filters do not apply to this survey. Choose different ones.';
    case 401:
      return 'This key does not work. It may be wrong, revoked, or expired, or it may not give access to this page.';
    case 403:
      return 'You do not have access to this. Ask your administrator.';
    case 404:
      return 'This no longer exists. Reload the page.';
    case 429:
      return 'Too many requests. Wait a few seconds, then try again.';
    default:
      return NO_ANSWER;
  }
}

/** @throws Refused */
async function send<Reply>(key: string, address: string, init: RequestInit): Promise<Reply> {
  let reply: Response;
  try {
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    reply = await fetch(address, { ...init, headers, cache: 'no-store' });
  } catch {
    throw new Refused(0, NO_ANSWER);
  }
  if (!reply.ok) throw new Refused(reply.status, explain(reply.status));
  return reply.json().catch(() => {
    throw new Refused(0, NO_ANSWER);
  });
}

export interface Asker {
  /** @throws Refused */
  readonly ask: <Reply>(path: string, query?: Query) => Promise<Reply>;
  /** @throws Refused */
  readonly put: (path: string, body: object) => Promise<unknown>;
}

export function askerWith(key: string): Asker {
  return {
    ask(path, query = {}) {
      const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
      const search = new URLSearchParams(given).toString();
      return send(key, search === '' ? path : `${path}?${search}`, {});
    },
    put: (path, body) => send(key, path, { method: 'PUT', body: JSON.stringify(body) }),
  };
}

/** Whether the caller may see people, once known. Repeated refusals would count toward the rate limit of strangers. */
const showsPeople = new WeakMap<Asker, boolean>();

export const isKnownToShowPeople = (asker: Asker): boolean => showsPeople.has(asker);

/**
 * Does not ask again after a 401 (for a key) or a 403 (for a signed-in person).
 * @throws Refused
 */
export async function askOfPeople<Reply>(asker: Asker, path: string, query: Query): Promise<Reply> {
  if (showsPeople.get(asker) === false) throw new Refused(401, '');
  try {
    const reply = await asker.ask<Reply>(path, query);
    showsPeople.set(asker, true);
    return reply;
  } catch (error) {
    if (!(error instanceof Refused) || ![401, 403].includes(error.status)) throw error;
    showsPeople.set(asker, false);
    throw new Refused(401, error.message);
  }
}
