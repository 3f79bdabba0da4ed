import type { PendingScore, StandingScore } from '../score-service.ts';

/** The result of one delivery. */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** The score stays pending. `holdMs` pauses all other requests too. */
  | { readonly kind: 'retry'; readonly reason: string; readonly holdMs?: number }
  /** The score is acknowledged as failed. */
  | { readonly kind: 'reject'; readonly reason: string }
  /** The destination is misconfigured or refuses the credentials. */
  | { readonly kind: 'halt'; readonly reason: string };

/** Options of a request to a destination. */
export interface DeliveryOptions {
  /** Milliseconds after which the request is aborted. */
  readonly timeoutMs: number;
  /** Ends the run. */
  readonly signal?: AbortSignal;
  /** Waits this many milliseconds, and then for the pacer. Returns false when the run is over. */
  readonly nextTurn?: (afterMs: number) => Promise<boolean>;
}

/** A score to deliver. Older services omit some fields. */
export type PushedScore = StandingScore & {
  /** 0 until the answer is revised. */
  readonly revision?: number;
  /** When the answer was last revised: ISO 8601 UTC. */
  readonly revisedAt?: string | null;
  /** When the latest known push of any revision started; null if no push is known. */
  readonly triedAt?: string | null;
};

/** The code. The number stands for a choice that the service did not know yet. */
export const categoryOf = ({ choice, rating }: StandingScore): string => choice ?? String(rating);

/** A score to delete. */
export interface Withdrawal {
  /** Id of the score. */
  readonly id: string;
  /** Absent after an erasure, because nothing can follow it. */
  readonly revision?: number;
}

/** Receives scores. */
export interface Destination {
  /** For reports and logs. */
  readonly name: string;
  /** Why a score must wait. Sends no request. */
  waits?(score: PendingScore): string | undefined;
  /**
   * Delivers one score without retries. A lost acknowledgement repeats the delivery, so the payload carries the score's
   * id and the repeat replaces the first.
   */
  deliver(score: PushedScore, options: DeliveryOptions): Promise<Outcome>;
  /** Deletes a delivered score, if any. Idempotent. */
  withdraw(withdrawal: Withdrawal, options: DeliveryOptions): Promise<Outcome>;
  /**
   * True if it stores categories, which are the scores of `choice` surveys. Otherwise they are acknowledged without a
   * delivery, because their ratings are numbers of choices and no measure.
   */
  readonly categories?: boolean;
  /** True if a withdrawal leaves nothing at the destination. */
  readonly deletes: boolean;
}

const REJECTED: ReadonlySet<number> = new Set([400, 413, 422]);
/** Pause after a 429 without `Retry-After`. */
const HOLD_MS = 5_000;
const HALTED: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);

/** A destination's reply. */
export interface Reply {
  /** HTTP status. */
  readonly status: number;
  /** The start of the body. */
  readonly text: string;
  /** Milliseconds that `Retry-After` requests. */
  readonly retryAfterMs?: number | undefined;
}

/** Unexpected refusals leave the score pending, so that it is neither lost nor blocks later ones. */
export function classifyReply({ status, text, retryAfterMs }: Reply): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (REJECTED.has(status)) return { kind: 'reject', reason: `HTTP ${status}: ${text}` };
  // `fetch` hides redirects as status 0.
  if (status < 400 || HALTED.has(status)) return { kind: 'halt', reason: `HTTP ${status || 'redirect'}` };
  const holdMs = retryAfterMs ?? (status === 429 ? HOLD_MS : undefined);
  return { kind: 'retry', reason: `HTTP ${status}`, ...(holdMs !== undefined && { holdMs }) };
}
