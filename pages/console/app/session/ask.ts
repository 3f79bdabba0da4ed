/** Questions to the service, and its refusals in words for the person who looks. */

import type { Issue } from '../../../../shared/contract/errors.ts';
import { type Credentials, headersOf } from './credentials.ts';

type Query = Readonly<Record<string, string | undefined>>;

export interface Question {
  readonly method?: 'GET' | 'PUT' | 'POST';
  readonly query?: Query;
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** Whether a key may be good and still not open this: a 401 then says nothing of the session. */
  readonly isOptional?: boolean;
}

interface RefusalBody {
  readonly error?: {
    readonly code?: string;
    readonly issues?: readonly Issue[];
    readonly details?: Readonly<Record<string, string | number>>;
  };
}

/** What the service said instead of an answer. */
export class Refused extends Error {
  /** 0 where nothing answered. */
  readonly status: number;
  /** As the contract names it (docs/contract.md §4.1); empty where nothing answered. */
  readonly code: string;
  readonly issues: readonly Issue[];
  readonly details: Readonly<Record<string, string | number>>;
  constructor(status: number, { error = {} }: RefusalBody = {}) {
    super(wordsFor(status, error.code));
    this.status = status;
    this.code = error.code ?? '';
    this.issues = error.issues ?? [];
    this.details = error.details ?? {};
  }
}

function wordsFor(status: number, code: string | undefined): string {
  if (code === 'surveys_changed') return 'Someone else changed the surveys since you opened them.';
  if (code === 'not_permitted')
    return 'You are signed in, but your role does not allow this. Ask the people who manage your surveys.';
  switch (status) {
    case 400:
      return 'The service did not accept this.';
    case 401:
      return 'Your sign-in or key has expired, or it does not give access to this.';
    case 403:
      return 'You do not have access to this. Ask the people who manage your surveys.';
    case 404:
      return 'This no longer exists. Someone may have just removed it.';
    case 429:
      return 'Too many requests. Wait a few seconds and try again.';
    default:
      return 'The service did not respond. Nothing is lost. Try again.';
  }
}

/** @param query what is undefined or empty is not asked */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const search = new URLSearchParams(given).toString();
  return search === '' ? path : `${path}?${search}`;
}

/**
 * @returns the reply, of the shape that the contract's schema of the route says
 * @throws Refused; an AbortError where the signal says so
 */
export async function askAs<Reply>(
  credentials: Credentials,
  path: string,
  { method = 'GET', query, body, signal }: Question = {},
): Promise<Reply> {
  const init = {
    method,
    headers: headersOf(credentials),
    cache: 'no-store',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  } as const;
  const reply = await fetch(addressOf(path, query), init).catch((error: unknown) => {
    throw signal?.aborted ? error : new Refused(0);
  });
  if (!reply.ok) throw new Refused(reply.status, await readRefusal(reply));
  try {
    return await reply.json();
  } catch {
    throw new Refused(0);
  }
}

async function readRefusal(reply: Response): Promise<RefusalBody | undefined> {
  try {
    return await reply.json();
  } catch {
    return undefined;
  }
}
