import { limitTime, retryAfterMs } from '../timing.ts';
import { classifyReply, type DeliveryOptions, type Outcome, type Reply } from './destination.ts';

const MOST_BYTES = 4_096;
const REASON_CHARACTERS = 400;

export interface DestinationRequest extends DeliveryOptions {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly fetch: typeof fetch;
  /** An API that replies in JSON returns HTML only if the address is wrong. */
  readonly refusesPages?: boolean;
  readonly now: number;
}

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
  } catch {}
  return text;
}

function describeFailure(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? `: ${String(cause.code)}` : '';
  return `no reply${code}`;
}

const isPage = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/html') === true;

/** Follows no redirects and never rejects. */
export async function requestReply(request: DestinationRequest): Promise<Reply | Outcome> {
  const { method, url, headers, body, refusesPages = false, now, timeoutMs, signal } = request;
  const limit = limitTime(timeoutMs, signal);
  try {
    const response = await request.fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: limit.signal,
    });
    const text = await readBeginning(response);
    const { status } = response;
    // A web page means that nothing was stored, whatever the status.
    if (refusesPages && isPage(response) && (response.ok || status === 404)) {
      return { kind: 'halt', reason: `HTTP ${status} with a web page` };
    }
    return { status, text, retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now) };
  } catch (error) {
    return { kind: 'retry', reason: limit.expired() ? 'no reply in time' : describeFailure(error) };
  } finally {
    limit.release();
  }
}

export const outcomeOf = (reply: Reply | Outcome): Outcome =>
  'kind' in reply ? reply : classifyReply({ ...reply, text: reply.text.slice(0, REASON_CHARACTERS) });

/** Never rejects. */
export async function postJson(
  request: Omit<DestinationRequest, 'method'> & { readonly body: string },
): Promise<Outcome> {
  return outcomeOf(await requestReply({ ...request, method: 'POST' }));
}
