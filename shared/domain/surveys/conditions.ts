/** Clients apply these conditions (docs/contract.md §6.8). */

import { DAY, parseDuration, SECOND } from '../duration.ts';

export interface SurveyEvent {
  readonly event: string;
  /** A written duration, which replaces `delayMs`. */
  readonly after?: string | undefined;
  /** How often the event must occur during a visit. Defaults to 1. */
  readonly times?: number | undefined;
}

export const MOST_PAGES = 10;
const MOST_PAGE_BYTES = 128;
export const EVENT_NAME = /^[a-z][a-z0-9-]{0,63}$/;
export const MOST_TIMES = 100;

/** An ASCII path with percent-encoding and without a query. */
const PATH = /^\/[!$-;=@-Z[\]\\^_a-z|~]*$/;

export function pageProblem(pattern: string): string | undefined {
  if (!pattern.startsWith('/')) return 'must start with /, such as /orders';
  if (!PATH.test(pattern))
    return 'must not contain ? or #. Special characters must be encoded, such as %C3%BC for ü';
  // In ASCII, each character is one byte.
  if (pattern.length > MOST_PAGE_BYTES) return `must be at most ${MOST_PAGE_BYTES} characters`;
  const parts = pattern.replace(/\/$/, '').split('/');
  if (parts.slice(0, -1).includes('**'))
    return 'must use ** only at the end. For one part before it, use *, such as /shops/*/orders/**';
  if (parts.some((part) => part.includes('*') && part !== '*' && part !== '**'))
    return 'must use * only in place of a whole part of the path, such as /orders/*/edit';
  return undefined;
}

export function isAfter(text: string): boolean {
  const duration = parseDuration(text) ?? 0;
  return duration >= SECOND && duration <= DAY;
}

interface Conditions {
  readonly pages?: readonly string[] | undefined;
  readonly on?: SurveyEvent | undefined;
}

/** Clients that do not support conditions would show the survey anywhere. */
export const isConditional = ({ pages, on }: Conditions): boolean => pages !== undefined || on !== undefined;
