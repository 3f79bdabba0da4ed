import type { PendingScore } from './contract-types.ts';

/** What became of one score at a destination. */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** Not now: it stays pending. `holdMs`: nothing else is sent for so many milliseconds either. */
  | { readonly kind: 'retry'; readonly reason: string; readonly holdMs?: number }
  /** Not this one, ever: it is acknowledged as failed. */
  | { readonly kind: 'reject'; readonly reason: string }
  /** Nothing at all goes through: the destination is misconfigured or refuses its credentials. */
  | { readonly kind: 'halt'; readonly reason: string };

export interface DeliveryOptions {
  /** Milliseconds for the one request. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Where scores go. */
export interface Destination {
  /** As reports and logs name it. */
  readonly name: string;
  /**
   * Delivers one score in one request, without retries of its own. A score may come again when its acknowledgement was
   * lost, so what arrives carries the score's id and a second arrival replaces the first.
   */
  deliver(score: PendingScore, options: DeliveryOptions): Promise<Outcome>;
}

const REJECTED: ReadonlySet<number> = new Set([400, 413, 422]);
/** How long to hold back after a 429 that does not say. */
const HOLD_MS = 5_000;
const HALTED: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);

interface Reply {
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
  readonly retryAfterMs?: number | undefined;
}

/**
 * What an HTTP reply means for the score that was sent. A refusal that none of these foresees leaves the score pending,
 * so that it neither is lost nor holds up the ones behind it.
 */
export function classifyReply({ status, text, retryAfterMs }: Reply): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (REJECTED.has(status)) return { kind: 'reject', reason: `HTTP ${status}: ${text}` };
  // A redirect that `fetch` hides has status 0.
  if (status < 400 || HALTED.has(status)) return { kind: 'halt', reason: `HTTP ${status || 'redirect'}` };
  const holdMs = retryAfterMs ?? (status === 429 ? HOLD_MS : undefined);
  return { kind: 'retry', reason: `HTTP ${status}`, ...(holdMs !== undefined && { holdMs }) };
}
