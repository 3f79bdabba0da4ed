import * as z from 'zod/mini';
import type { Route } from '../../shared/contract/route.ts';

const TIMEOUT_MS = 20_000;

export interface Place {
  readonly url: string;
  readonly key: string;
}

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

/** docs/contract.md §4.1. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_key:
    'CANVASS_KEY is invalid or may not read this. Ask the operator for a new reader key: "canvass key create --project ID --kind reader", with --comments if comments are needed.',
  survey_not_found: 'There is no such survey. Use list_surveys to find its slug.',
  invalid_request: 'Change the arguments and call again.',
  rate_limited: 'Wait a few seconds, then call again.',
};

function problemOf(status: number, text: string, { url }: Place): string {
  const read = refusal.safeParse(parsed(text));
  if (!read.success)
    return `HTTP ${status}, and the reply is not from the service. Is CANVASS_URL (${url}) correct?`;
  const { code, message, issues = [] } = read.data.error;
  const wrong = issues.map((issue) => `${issue.path}: ${issue.message}`);
  const advice = ADVICE[code] ?? (status >= 500 ? 'This may be temporary: call again in a moment.' : '');
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

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  if (error.name === 'TimeoutError') return `no reply in ${TIMEOUT_MS / 1_000} seconds`;
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

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
      // The key must not reach another address.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    throw new ReadError(`${place.url} does not answer (${reasonOf(error)}). Is CANVASS_URL correct?`);
  }
  const reply = response.ok ? parsed(text) : undefined;
  if (reply !== undefined) return reply;
  throw new ReadError(problemOf(response.status, text, place));
}
