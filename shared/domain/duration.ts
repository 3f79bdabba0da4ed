/** Durations such as `30s`, `15m`, `12h`, `7d` (docs/contract.md §8). */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', SECOND],
  ['m', MINUTE],
  ['h', HOUR],
  ['d', DAY],
]);

/** Returns milliseconds. A bare `0` disables a rule. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  const unit = UNITS.get(match?.[2] ?? '');
  return unit === undefined ? undefined : Number(match?.[1]) * unit;
}

export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0';
  for (const [letter, unit] of [...UNITS].reverse()) {
    if (milliseconds % unit === 0) return `${milliseconds / unit}${letter}`;
  }
  return `${Math.round(milliseconds / SECOND)}s`;
}
