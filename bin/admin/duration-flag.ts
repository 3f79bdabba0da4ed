/** A flag's value that is a duration. */

import { InvalidArgumentError } from 'commander';
import { formatDuration, parseDuration } from '../../shared/domain/duration.ts';

/** Milliseconds, both included. */
interface DurationRange {
  readonly min: number;
  readonly max: number;
}

export const rangeText = ({ min, max }: DurationRange): string =>
  `${formatDuration(min)} to ${formatDuration(max)}`;

/** Makes a parser of flags that gives milliseconds. */
export const parseDurationWithin =
  (range: DurationRange) =>
  (text: string): number => {
    const duration = parseDuration(text);
    if (duration === undefined) throw new InvalidArgumentError('Write a duration as 30s, 15m, 12h or 7d.');
    if (duration >= range.min && duration <= range.max) return duration;
    throw new InvalidArgumentError(`It must be ${rangeText(range)}.`);
  };
