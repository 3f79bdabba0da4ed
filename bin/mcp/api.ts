/** What the tools ask of the service, with a reader key; a refusal says what to do about it. */

import * as z from 'zod/mini';
import type { Route } from '../../shared/contract/route.ts';

const TIMEOUT_MS = 20_000;

/** Where a service is, and a key that reads it. */
export interface Place {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
}

/** What went wrong, for the model and who reads along. */
export class ReadError extends Error {
  override readonly name = 'ReadError';
}

const refusal = z.object({
  error: z.object({
    code: z.string(),
    message: z.optional(z.string()),
    issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  }),
});

/** By the service's code (docs/contract.md §4.1): what may be done. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_key:
    'CANVASS_KEY is not, or no longer, a key that may read this. Ask the operator for another reader key: "canvass key create --project ID --kind reader", with --comments where comments are to be read.',
  survey_not_found: 'There is no such survey: list_surveys names them by their slugs.',
  invalid_request: 'Change the arguments and call again.',
  rate_limited: 'Wait some seconds, then call again.',
};

function problemOf(status: number, text: string, { url }: Place): string {
  const read = refusal.safeParse(parsed(text));
  if (!read.success)
    return `HTTP ${status}, not in the service's words. Is CANVASS_URL (${url}) the address of the service?`;
  const { code, message, issues = [] } = read.data.error;
  const wrong = issues.map((issue) => `${issue.path}: ${issue.message}`);
  const advice = ADVICE[code] ?? (status >= 500 ? 'It may pass: call again in a moment.' : '');
  return [`${code}: ${wrong.length > 0 ? wrong.join('; ') : (message ?? code)}`, advice]
    .filter(Boolean)
    .join(' ');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A code such as `ECONNREFUSED`, or else what the runtime says. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  if (error.name === 'TimeoutError') return `no reply in ${TIMEOUT_MS / 1_000} seconds`;
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

/**
 * The reply of a route that is read.
 * @param fields what is not one of the route's is left to the service to refuse
 * @throws ReadError
 */
export async function read(
  place: Place,
  { path }: Pick<Route, 'path'>,
  fields: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const url = new URL(place.url + path);
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      headers: { authorization: `Bearer ${place.key}`, accept: 'application/json' },
      // Elsewhere the key is none of anybody's business.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    throw new ReadError(`${place.url} does not answer (${reasonOf(error)}). Is CANVASS_URL right?`);
  }
  const reply = response.ok ? parsed(text) : undefined;
  if (reply !== undefined) return reply;
  throw new ReadError(problemOf(response.status, text, place));
}
