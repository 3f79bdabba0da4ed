import type * as z from 'zod/mini';
import { queryComments } from '../../../functions/results/query-comments.ts';
import { queryContacts } from '../../../functions/results/query-contacts.ts';
import { queryResults } from '../../../functions/results/query-results.ts';
import { ruleForAll } from '../../../functions/results/shown-cells.ts';
import { inPlainWords } from '../../../functions/runtime/request-input.ts';
import { CONTACT_PAGE, contactsInput } from '../../../shared/contract/contact-schemas.ts';
import { type Issue, isRefusal, MESSAGE_OF, type Refusal } from '../../../shared/contract/errors.ts';
import {
  COMMENT_PAGE,
  commentsInput,
  type ResultsReply,
  resultsInput,
} from '../../../shared/contract/results-schemas.ts';
import { type AdminError, failure, misuse } from '../admin-error.ts';
import { namedSurvey, type Session } from '../session.ts';

export interface SpanFlags {
  readonly project: string;
  readonly from?: string;
  readonly to?: string;
}

export interface ResultsFlags extends SpanFlags {
  readonly by?: string;
  readonly segment?: string;
  readonly value?: string;
  readonly compare?: string;
  readonly against?: string;
  readonly isInCells?: boolean;
}

export interface CommentFlags extends SpanFlags, PageAsked {
  readonly choice?: string;
  readonly ratingMin?: string;
  readonly ratingMax?: string;
  readonly segment?: string;
  readonly value?: string;
  readonly reason?: string;
  readonly answers?: string;
}

type Fields = Readonly<Record<string, string | boolean | undefined>>;

const flagOf = (path: string): string =>
  `--${path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const problemOf = ({ path, message }: Issue): string => `${flagOf(path)}: ${message}.`;

export function check<Input extends z.ZodMiniObject>(schema: Input, fields: Fields): z.output<Input> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const parsed = schema.safeParse(given, { error: inPlainWords });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    problemOf({ path: path.join('.'), message }),
  );
  throw misuse(...problems);
}

export function errorOf({ refused, issues = [] }: Refusal): AdminError {
  return refused === 'invalid_request' ? misuse(...issues.map(problemOf)) : failure(MESSAGE_OF[refused]);
}

async function openQuery(session: Session, projectId: string, slug: string) {
  const record = await session.record(projectId);
  if (slug !== '') namedSurvey(record, slug);
  return { settings: await session.settings(projectId), now: session.now(), service: session.service };
}

export async function askResults(session: Session, flags: ResultsFlags, slug: string): Promise<ResultsReply> {
  const { project, from, to, by, segment, value, compare, against, isInCells = false } = flags;
  const fields = { from, to, by, segment, value, compare, against };
  const input = check(resultsInput(), { surveySlug: slug, ...fields });
  const query = await openQuery(session, project, slug);
  const rule = isInCells ? ruleForAll(query.settings.project, query.now) : undefined;
  const reply = await queryResults({ input, ...query, rule });
  if (isRefusal(reply)) throw errorOf(reply);
  return reply;
}

/** An instance that is not running counts no answers. */
export function noteUncounted({ deployment: { origin }, terminal }: Session): void {
  if (origin.kind === 'stack' || origin.url !== undefined) return;
  terminal.note(
    'The local instance is not running. Answers stored since it stopped, such as imported ones, are counted when it runs again.',
  );
}

interface PageAsked {
  readonly limit: number;
  readonly cursor?: string;
}

async function readPages<Page extends { readonly nextCursor?: string }, Item>(
  asked: PageAsked,
  most: number,
  read: (page: { readonly limit: string; readonly cursor: string | undefined }) => Promise<Page | Refusal>,
  itemsOf: (page: Page) => readonly Item[],
) {
  const found: Item[] = [];
  let { cursor } = asked;
  do {
    const page = await read({ limit: String(Math.min(most, asked.limit - found.length)), cursor });
    if (isRefusal(page)) throw errorOf(page);
    found.push(...itemsOf(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < asked.limit);
  return { found, ...(cursor !== undefined && { nextCursor: cursor }) };
}

const FILTERS = 'from to ratingMin ratingMax choice segment value reason answers'.split(' ');

/** The flags that have the name of a query parameter. */
export const commentFilters = (flags: Omit<CommentFlags, keyof PageAsked>): Fields =>
  Object.fromEntries(Object.entries(flags).filter(([name]) => FILTERS.includes(name)));

export async function askComments(session: Session, flags: CommentFlags, slug: string) {
  const query = await openQuery(session, flags.project, slug);
  const filters = { surveySlug: slug, ...commentFilters(flags) };
  const { found: comments, ...rest } = await readPages(
    flags,
    COMMENT_PAGE.max,
    (page) => queryComments({ input: check(commentsInput(), { ...filters, ...page }), ...query }),
    (page) => page.comments,
  );
  return { comments, ...rest };
}

export interface ContactFlags extends SpanFlags, PageAsked {
  readonly state: string;
}

export async function askContacts(session: Session, flags: ContactFlags, slug: string) {
  const { project, state, from, to } = flags;
  const query = await openQuery(session, project, slug);
  const filters = { surveySlug: slug || undefined, state, from, to };
  const { found: contacts, ...rest } = await readPages(
    flags,
    CONTACT_PAGE.max,
    (page) => queryContacts({ input: check(contactsInput(), { ...filters, ...page }), ...query }),
    (page) => page.contacts,
  );
  return { contacts, ...rest };
}
