import { CanvassError } from '../canvass-error.ts';
import { type Asked, placeOf } from './asked.ts';

/** A code such as `ECONNREFUSED` or of a certificate, or else what the runtime says. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

/** The error of an attempt that brought no reply. @param expired whether its time was over */
export function errorOfSilence(asked: Asked, expired: boolean, cause: unknown): CanvassError {
  return expired
    ? new CanvassError(`${placeOf(asked)}: no reply in time`, { status: 0, code: 'timeout', cause })
    : new CanvassError(`${placeOf(asked)}: no reply (${reasonOf(cause)})`, {
        status: 0,
        code: 'network_error',
        cause,
      });
}
