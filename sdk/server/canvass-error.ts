import type { ErrorCode } from '../../shared/contract/clients/wire-types.ts';

/** An invalid field. */
export interface Issue {
  /** The field, such as `traits.plan`. */
  readonly path: string;
  /** The problem with its value. */
  readonly message: string;
}

/**
 * `network_error`: no reply; `timeout`: none in time; `unexpected_reply`: a reply that is not from the service, such as
 * a gateway's. The others are the service's (docs/contract.md §4.1).
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

/** A call that was refused, or was still failing at its deadline. */
export class CanvassError extends Error {
  /** Distinguishes it from other errors. */
  override readonly name = 'CanvassError';
  /** HTTP status; 0 if no reply arrived. */
  readonly status: number;
  /** One of `CanvassErrorCode`, or a code of a newer service. */
  readonly code: CanvassErrorCode | (string & {});
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined;
  /** The invalid fields of a 400. */
  readonly issues: readonly Issue[];
  /** Details of an error code (docs/contract.md §4.1). */
  readonly details: Readonly<Record<string, string | number>>;
  /** Seconds to wait before another call. The client has already waited as long as its deadline allowed. */
  readonly retryAfter: number | undefined;

  /** @param said what went wrong; `message` adds the code before it and the invalid fields after it */
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
