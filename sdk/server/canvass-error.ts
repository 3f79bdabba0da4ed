import type { ErrorCode, Issue } from '../../shared/contract/clients/server-calls.ts';

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
  readonly details: Readonly<Record<string, string | number>>;

  constructor(message: string, { status, code, requestId, issues = [], details = {}, cause }: Facts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.issues = issues;
    this.details = details;
  }
}
