/** docs/contract.md §6.6. */

import { DAY, formatDuration, parseDuration, SECOND } from '../duration.ts';

/** The time after an answer to this survey or its dismissal. Absent means never. */
export interface RepeatAfter {
  readonly answeredMs?: number | undefined;
  readonly dismissedMs?: number | undefined;
}

/** The survey repeats per session if its token is bound to one, per observation, or after a time. */
export type Repeat = 'session' | 'observation' | RepeatAfter;

export const NEVER: RepeatAfter = {};

const REPEAT_RANGE_MS = { min: SECOND, max: 36_500 * DAY } as const;

export type WrittenRepeat = string | { readonly answered?: string; readonly dismissed?: string };

export function isWait(text: string): boolean {
  const duration = parseDuration(text) ?? 0;
  return text === 'never' || (duration >= REPEAT_RANGE_MS.min && duration <= REPEAT_RANGE_MS.max);
}

const waitOf = (text = 'never'): number | undefined => (text === 'never' ? undefined : parseDuration(text));

export function parseRepeat(written: WrittenRepeat): Repeat {
  if (written === 'session' || written === 'observation') return written;
  const { answered, dismissed } =
    typeof written === 'string' ? { answered: written, dismissed: written } : written;
  const [answeredMs, dismissedMs] = [waitOf(answered), waitOf(dismissed)];
  return {
    ...(answeredMs !== undefined && { answeredMs }),
    ...(dismissedMs !== undefined && { dismissedMs }),
  };
}

export function formatRepeat(repeat: Repeat): WrittenRepeat {
  if (typeof repeat === 'string') return repeat;
  const { answeredMs, dismissedMs } = repeat;
  if (answeredMs === dismissedMs) return answeredMs === undefined ? 'never' : formatDuration(answeredMs);
  return {
    ...(answeredMs !== undefined && { answered: formatDuration(answeredMs) }),
    ...(dismissedMs !== undefined && { dismissed: formatDuration(dismissedMs) }),
  };
}
