/** Where and when in a page a survey is asked (docs/contract.md §6.8): clients apply it. */

import { DAY, parseDuration, SECOND } from '../duration.ts';

/** Something that happens in a page, as its code tells the client. */
export interface SurveyEvent {
  readonly event: string;
  /** A duration as a survey file writes it, in place of `delayMs`. */
  readonly after?: string | undefined;
  /** How often it has to happen in a visit; once unless said. */
  readonly times?: number | undefined;
}

export const MOST_PAGES = 10;
const MOST_PAGE_BYTES = 128;
export const EVENT_NAME = /^[a-z][a-z0-9-]{0,63}$/;
export const MOST_TIMES = 100;

/** What an address may hold in its path, as a browser has it: ASCII, all else in percent signs, no query. */
const PATH = /^\/[!$-;=@-Z[\]\\^_a-z|~]*$/;

/** Why a text is no pattern of pages; undefined where it is one. */
export function pageProblem(pattern: string): string | undefined {
  if (!pattern.startsWith('/')) return 'must begin with /, as the path of an address does';
  if (!PATH.test(pattern)) return 'must be a path as a browser has it: no ? or #, and %C3%BC for ü';
  // ASCII, so a character is a byte.
  if (pattern.length > MOST_PAGE_BYTES) return `must be at most ${MOST_PAGE_BYTES} bytes`;
  const parts = pattern.replace(/\/$/, '').split('/');
  if (parts.slice(0, -1).includes('**')) return 'has ** before its end: ** is any rest, * is one part';
  if (parts.some((part) => part.includes('*') && part !== '*' && part !== '**'))
    return 'has a * beside other characters: * is a whole part, /orders/*/edit';
  return undefined;
}

/** Whether a text is a time that a survey may wait after its event. */
export function isAfter(text: string): boolean {
  const duration = parseDuration(text) ?? 0;
  return duration >= SECOND && duration <= DAY;
}

interface Conditions {
  readonly pages?: readonly string[] | undefined;
  readonly on?: SurveyEvent | undefined;
}

/** Whether only clients that know of pages, or of events, ask a survey as it is meant. */
export const isConditional = ({ pages, on }: Conditions): boolean => pages !== undefined || on !== undefined;
