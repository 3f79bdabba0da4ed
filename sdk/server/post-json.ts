import { classifyReply, type DeliveryOptions, type Outcome } from './destination.ts';
import { retryAfterMs } from './retry-after.ts';
import { limitTime } from './time-limit.ts';

/** Bytes of a reply that are looked at. */
const MOST_BYTES = 4_096;
const REASON_CHARACTERS = 400;

export interface JsonPost extends DeliveryOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly fetch: typeof fetch;
  /** Whether a web page in reply means a wrong address, where an API answers in JSON. */
  readonly refusesPages?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The beginning of a body; a connection that breaks off ends it. */
async function readBeginning({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let bytes = 0; bytes < MOST_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) return text;
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
  } catch {
    // The status has said what matters.
  }
  return text;
}

function describeFailure(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? `: ${String(cause.code)}` : '';
  return `no reply${code}`;
}

/** One POST, no redirects followed, and what its reply means. Never rejects. */
export async function postJson({
  url,
  headers,
  body,
  fetch,
  refusesPages = false,
  now,
  timeoutMs,
  signal,
}: JsonPost): Promise<Outcome> {
  const limit = limitTime(timeoutMs, signal);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: limit.signal,
    });
    const text = (await readBeginning(response)).slice(0, REASON_CHARACTERS);
    // A web page where an API should be has stored nothing, whatever its status.
    if (
      refusesPages &&
      response.ok &&
      response.headers.get('content-type')?.startsWith('text/html') === true
    ) {
      return { kind: 'halt', reason: `HTTP ${response.status} with a web page` };
    }
    const { status } = response;
    return classifyReply({
      status,
      text,
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now),
    });
  } catch (error) {
    return { kind: 'retry', reason: limit.expired() ? 'no reply in time' : describeFailure(error) };
  } finally {
    limit.release();
  }
}
