/** A day and a time as a browser's control has them: local, without a zone. */

/** A year that is being typed is 2, 20 and 202 before it is 2026. */
const FIRST_YEAR = 1900;

/** @param text ISO 8601 @returns empty where it is no time */
export function toLocal(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @returns ISO 8601; undefined of an empty control, 'unfinished' while a year is being typed */
export function typedTime(typed: string): string | undefined {
  const time = new Date(typed);
  if (Number.isNaN(time.getTime())) return undefined;
  return time.getFullYear() < FIRST_YEAR ? 'unfinished' : time.toISOString();
}
