import { afterEach, beforeEach, vi } from 'vitest';
import type { CanvassError } from '../../../../sdk/browser/client/events.ts';
import type { Refusal } from '../../../../sdk/browser/client/message-rating.ts';
import type { Mail } from '../../../../sdk/browser/client/modules.ts';
import { createOutbox } from '../../../../sdk/browser/client/outbox.ts';
import { createPost } from '../../../../sdk/browser/client/post.ts';
import * as refused from '../../../../sdk/browser/client/refused.ts';
import { createStorage } from '../../../../sdk/browser/client/storage.ts';

export interface Sent {
  readonly url: string;
  readonly body: Record<string, unknown>;
  readonly init: RequestInit;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A text body is sent unchanged. If there is no body, a success returns the service's usual one. */
type Answer =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'lost';

/** Fakes the network for a unit test. `lost` sends no reply. */
export function fakeService(answer: (sent: Sent, count: number) => Answer | Promise<Answer>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const request: Sent = { url, init, body: JSON.parse(String(init.body)), at: Date.now() };
    sent.push(request);
    const late = new Promise<never>((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    );
    const reply = await Promise.race([answer(request, sent.length), late]);
    if (reply === 'lost') throw new TypeError('Failed to fetch');
    const { status, headers = {}, body = status < 300 ? { ok: true } : {} } = reply;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(status === 204 ? null : text, { status, headers });
  });
  return sent;
}

export function fakeStorage(quota = Number.POSITIVE_INFINITY): Map<string, string> {
  const kept = new Map<string, string>();
  const storage = new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => kept.get(String(name)),
      set(_, name, value: string) {
        if (value.length > quota) throw new DOMException('full', 'QuotaExceededError');
        kept.set(String(name), value);
        return true;
      },
    },
  );
  vi.stubGlobal('localStorage', storage);
  return kept;
}

/** Gives each test a manual clock, fixed randomness and empty storage. */
export function useFakePage(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    // Not among the timers that Vitest replaces.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const limit = new AbortController();
      setTimeout(() => limit.abort(new DOMException('late', 'TimeoutError')), ms);
      return limit.signal;
    });
    fakeStorage();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}

export const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

export const NAME = 'canvass.svc_pk_1';

/** Simulates a page load: a new client with the same storage. */
export function load(persistent = true, base = 'https://service', person: Partial<Mail['person']> = {}) {
  const leaving = new AbortController();
  const heard: CanvassError[] = [];
  const lost: Refusal[] = [];
  const storage = createStorage(NAME, persistent, 'localStorage');
  const post = createPost(base, storage);
  const mail: Omit<Mail, 'load'> = {
    storage,
    post,
    emit: (event, detail) =>
      event === 'refused' ? lost.push(detail as Refusal) : heard.push(detail as CanvassError),
    signal: leaving.signal,
    person: { name: '', traits: {}, id: () => 'device', ...person },
    options: { key: 'svc_pk_1', baseUrl: base, locale: 'de' },
    // As in pages that draw surveys themselves.
    placeOf: () => ({}) as Element,
  };
  const { put, flush } = createOutbox({
    ...mail,
    load: async () => refused,
  } as unknown as Mail);
  const answer = (token: string, holdMs = 0, again = false, rating = 9, more = {}) => {
    const body = { showToken: token, userId: 'device', rating, ...more };
    put({ token, mark: 1, path: '/v1/sdk/responses', body, again }, holdMs);
  };
  return { ...storage, post, flush, put, answer, refused: heard, lost, leave: () => leaving.abort() };
}
