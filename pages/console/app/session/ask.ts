import type {
  DefinitionsReply,
  PutDefinitionsReply,
} from '../../../../shared/contract/definition-schemas.ts';
import type { Issue } from '../../../../shared/contract/errors.ts';
import { PROJECT } from './tab.ts';

export type Credentials =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'person'; readonly token: string; readonly name: string };

export interface Question {
  readonly method?: 'GET' | 'PUT' | 'POST';
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** A valid key without access to this route gets a 401, which does not end the session. */
  readonly isOptional?: boolean;
}

export type Ask = <Reply>(path: string, question?: Question) => Promise<Reply>;

interface RefusalBody {
  readonly error?: { readonly code?: string; readonly issues?: readonly Issue[] };
}

export class Refused extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Error code (docs/contract.md §4.1), or empty. */
  readonly code: string;
  readonly issues: readonly Issue[];
  constructor(status: number, { error = {} }: RefusalBody = {}) {
    super(wordsFor(status, error.code));
    this.status = status;
    this.code = error.code ?? '';
    this.issues = error.issues ?? [];
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function wordsFor(status: number, code: string | undefined): string {
  if (code === 'surveys_changed') return 'Someone else has changed the surveys since you opened them.';
  if (code === 'not_permitted')
    return 'You are signed in, but your role does not allow this. Ask your administrator.';
  switch (status) {
    case 400:
      return 'The service could not process this request. Reload the page, and then try again.';
    case 401:
      return 'Your sign-in or key has expired, or it does not give you access to this. Sign in again, or ask your administrator.';
    case 403:
      return 'You do not have access to this. Ask your administrator.';
    case 404:
      return 'This no longer exists. Someone may have removed it.';
    case 429:
      return 'There were too many requests. Wait a few seconds, and then try again.';
    default:
      return 'The service did not respond. Try again.';
  }
}

export function addressOf(path: string, query: NonNullable<Question['query']> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const search = new URLSearchParams(given).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** @throws Refused, or an AbortError if the signal aborts */
export async function askAs<Reply>(
  credentials: Credentials,
  path: string,
  { method = 'GET', query, body, signal }: Question = {},
): Promise<Reply> {
  // See docs/contract.md §20.2.
  const headers =
    credentials.kind === 'key'
      ? { authorization: `Bearer ${credentials.key}` }
      : { authorization: `Bearer ${credentials.token}`, 'x-canvass-project': PROJECT };
  const reply = await fetch(addressOf(path, query), {
    method,
    headers,
    cache: 'no-store',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : new Refused(0);
  });
  if (!reply.ok) throw new Refused(reply.status, await reply.json().catch(() => undefined));
  return reply.json().catch(() => {
    throw new Refused(0);
  });
}

interface Paged {
  readonly surveys: readonly unknown[];
  readonly nextCursor?: string | undefined;
}

export async function readPages<Page extends Paged>(ask: Ask, path: string): Promise<[Page, ...Page[]]> {
  let last = await ask<Page>(path, { query: { limit: '100' } });
  const pages: [Page, ...Page[]] = [last];
  while (last.nextCursor !== undefined) {
    last = await ask<Page>(path, { query: { limit: '100', cursor: last.nextCursor } });
    pages.push(last);
  }
  return pages;
}

export type Definitions = Pick<DefinitionsReply, 'revision' | 'order' | 'surveys' | 'lastChanges'>;

export const DEFINITIONS = '/v1/surveys/definitions';

/** Reads all surveys at one revision. @throws Refused */
export async function readDefinitions(ask: Ask, tries = 3): Promise<Definitions> {
  try {
    const pages = await readPages<DefinitionsReply>(ask, DEFINITIONS);
    return {
      ...pages[0],
      surveys: pages.flatMap(({ surveys }) => surveys),
      lastChanges: Object.assign({}, ...pages.map(({ lastChanges }) => lastChanges)),
    };
  } catch (error) {
    // The surveys changed between two pages.
    if (error instanceof Refused && error.code === 'surveys_changed' && tries > 1)
      return readDefinitions(ask, tries - 1);
    throw error;
  }
}

/** @throws Refused, with the code `surveys_changed` if the revision is no longer current */
export const putDefinitions = (ask: Ask, body: object): Promise<PutDefinitionsReply> =>
  ask(DEFINITIONS, { method: 'PUT', body });
