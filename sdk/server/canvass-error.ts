import type { ErrorCode } from '../../shared/contract/clients/wire-types.ts';

/** What is wrong with a field. */
export interface Issue {
  /** The field, such as `traits.plan`. */
  readonly path: string;
  /** What is wrong with its value. */
  readonly message: string;
}

/**
 * `network_error`: no reply; `timeout`: none in time; `unexpected_reply`: not one of the service's own, a gateway's or
 * a proxy's; the others are the service's (docs/contract.md §4.1).
 */
export type CanvassErrorCode = ErrorCode | 'network_error' | 'timeout' | 'unexpected_reply';

interface Facts {
  readonly status: number;
  readonly code: string;
  readonly requestId?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly details?: Readonly<Record<string, string | number>> | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** A call that failed for good: refused, or still failing when its deadline was near. */
export class CanvassError extends Error {
  override readonly name = 'CanvassError';
  /** HTTP status; 0 when there was no reply. */
  readonly status: number;
  /** One of `CanvassErrorCode`, or a code that the service has learnt since. */
  readonly code: CanvassErrorCode | (string & {});
  /** Names the request in the service's logs. */
  readonly requestId: string | undefined;
  /** Of a 400: which field, and what is wrong with it. */
  readonly issues: readonly Issue[];
  /** What the service adds to a code (docs/contract.md §4.1). */
  readonly details: Readonly<Record<string, string | number>>;
  /** Seconds that the reply asks to wait before another call; the client itself has waited as long as its deadline let it. */
  readonly retryAfter: number | undefined;

  /** @param said what went wrong; `message` begins with the code, and ends with the fields that are wrong */
  constructor(
    said: string,
    { status, code, requestId, issues = [], details = {}, retryAfter, cause }: Facts,
  ) {
    const wrong = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
    const message = `${code}: ${said}${wrong && ` (${wrong})`}`;
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.issues = issues;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}
