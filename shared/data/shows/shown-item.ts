/**
 * Stored form of a person's shows: one item with a set, so that reporting a show again changes nothing. The person is
 * identified only by the keyed hash in its partition. After an erasure, the item stays without shows until older tokens
 * have expired.
 */

import * as z from 'zod/mini';
import type { ShowTokenClaims } from '../../domain/answers/answer.ts';
import { MOST_SHOWS, type Show } from '../../domain/answers/shows.ts';
import { DAY, SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../../domain/project.ts';
import type { Change, Condition } from '../table/expressions.ts';
import { type Row, readRow } from '../table/row.ts';
import { shownKey, shownShardEntry, TABLE } from '../table/schema.ts';

/**
 * A client exceeds this only by reporting hundreds of tokens before the stream's consumer removes the surplus. An
 * element has 34 bytes, an item at most 400 KB, and a project 500 surveys.
 */
const MOST_SURPLUS = 500;

/** Added to the time at which the item is last needed. */
const MARGIN_MS = DAY;

const TIME_RADIX = 36;
const TIME_DIGITS = 12;
const TAIL_DIGITS = 6;

const shownRow = once(() =>
  z.object({ shows: z.optional(z.set(z.string())), windowMs: z.optional(z.number()) }),
);

export interface ShownPlace {
  readonly projectId: string;
  readonly respondentHash: string;
  readonly shards: number;
}

export function showOf({ surveyId, tokenId }: Pick<ShowTokenClaims, 'surveyId' | 'tokenId'>): Show {
  const at = Number.parseInt(tokenId.slice(0, TIME_DIGITS), 16);
  return { surveyId, at, id: `${at.toString(TIME_RADIX)}.${tokenId.slice(-TAIL_DIGITS)}` };
}

/** When the token of a show was issued, in milliseconds. @param id of the show */
export const timeOfShow = (id: string): number => Number.parseInt(id, TIME_RADIX);

const showText = ({ surveyId, id }: Show): string => `${surveyId}#${id}`;

function readShow(text: string): Show {
  const end = text.lastIndexOf('#');
  const id = text.slice(end + 1);
  return { surveyId: text.slice(0, end), at: timeOfShow(id), id };
}

export const readShows = (row: Row): Show[] => [...(readRow(shownRow, row).shows ?? [])].map(readShow);

/** When each survey was shown, by its id. */
export function readShowTimes(row: Row): ReadonlyMap<string, readonly number[]> {
  const bySurvey = Map.groupBy(readShows(row), ({ surveyId }) => surveyId);
  return new Map([...bySurvey].map(([surveyId, shows]) => [surveyId, shows.map(({ at }) => at)]));
}

/** The period in which shows were counted when the person was last shown a survey, in milliseconds. */
export const readShowWindow = (row: Row): number => readRow(shownRow, row).windowMs ?? 0;

/** Never before the newest token expires, because the item may keep out shows of that token. */
const ttlAfter = (now: number, windowMs = 0): number =>
  Math.ceil((now + Math.max(windowMs, TOKEN_LIFETIME_RANGE_MS.max) + MARGIN_MS) / SECOND);

/**
 * Adds a show, and creates the item if there is none.
 * @param windowMs period in which shows are counted
 */
export function showChange(
  { projectId, respondentHash, shards }: ShownPlace,
  show: Show,
  windowMs: number,
  now: number,
): Change {
  const entry = shownShardEntry(projectId, shards, respondentHash);
  return {
    set: { type: 'shown', ...entry, windowMs, [TABLE.timeToLive]: ttlAfter(now, windowMs) },
    add: { shows: new Set([showText(show)]) },
  };
}

/**
 * An erased show is not stored when it is reported again.
 * @param surveys number of surveys of the project
 */
export const isWelcome = ({ at }: Show, surveys: number): Condition => ({
  text: '(attribute_not_exists(#erasedAt) OR #erasedAt < :at) AND (attribute_not_exists(#shows) OR size(#shows) < :most)',
  values: { at, most: surveys * MOST_SHOWS + MOST_SURPLUS },
});

export const showsRemoval = (shows: readonly Show[]): Change => ({
  take: { shows: new Set(shows.map(showText)) },
});

/** Replaces a person's shows when the person is erased. */
export function erasedShownItem(place: ShownPlace, now: number): Row {
  const { projectId, respondentHash, shards } = place;
  return {
    ...shownKey(projectId, respondentHash),
    ...shownShardEntry(projectId, shards, respondentHash),
    type: 'shown',
    erasedAt: now,
    [TABLE.timeToLive]: ttlAfter(now),
  };
}
