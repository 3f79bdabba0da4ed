import type { PendingScore, StandingScore } from '../score-service.ts';

/** What became of one score at a destination. */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** Not now: it stays pending. `holdMs`: nothing else is sent for so many milliseconds either. */
  | { readonly kind: 'retry'; readonly reason: string; readonly holdMs?: number }
  /** Not this one, ever: it is acknowledged as failed. */
  | { readonly kind: 'reject'; readonly reason: string }
  /** Nothing at all goes through: the destination is misconfigured or refuses its credentials. */
  | { readonly kind: 'halt'; readonly reason: string };

/** How long a delivery may take. */
export interface DeliveryOptions {
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /**
   * Where one request is not enough: resolves after so many milliseconds, once the next request has its turn. False when
   * the run is over.
   */
  readonly nextTurn?: (afterMs: number) => Promise<boolean>;
}

/** A score to deliver. What an older service does not say of it is absent. */
export type PushedScore = StandingScore & {
  /** 0 until the answer is changed. */
  readonly revision?: number;
  /** When this revision was stored, if it is not the answer as it was given. */
  readonly revisedAt?: string | null;
  /** When a push of this score, of any revision, was last known to begin; null where none was. */
  readonly triedAt?: string | null;
};

/** A score that is to be taken back where it was delivered. */
export interface Withdrawal {
  /** The score's, as it was delivered. */
  readonly id: string;
  /** The revision that withdrew the answer; absent where the answer is erased, which is for good. */
  readonly revision?: number;
}

/** Where scores go. */
export interface Destination {
  /** As reports and logs name it. */
  readonly name: string;
  /**
   * Why a score cannot be pushed, or taken back, yet: it is left as it is, without a request. Undefined: it can. Destinations
   * without this take everything at any time.
   */
  waits?(score: PendingScore): string | undefined;
  /**
   * Delivers one score, without retries of its own. A score may come again when its acknowledgement was
   * lost, so what arrives carries the score's id and a second arrival replaces the first.
   */
  deliver(score: PushedScore, options: DeliveryOptions): Promise<Outcome>;
  /** Takes back what was delivered, if anything was; `delivered` once that is done. Harmless to repeat. */
  withdraw(withdrawal: Withdrawal, options: DeliveryOptions): Promise<Outcome>;
  /** Whether nothing is left there of what was taken back. */
  readonly deletes: boolean;
}

const REJECTED: ReadonlySet<number> = new Set([400, 413, 422]);
/** How long to hold back after a 429 that does not say. */
const HOLD_MS = 5_000;
const HALTED: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);

export interface Reply {
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
