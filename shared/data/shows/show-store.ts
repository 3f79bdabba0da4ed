import * as z from 'zod/mini';
import { respondentHash } from '../../crypto/derive.ts';
import type { ShowTokenClaims } from '../../domain/answers/show-token.ts';
import { isToCome, MOST_SHOWS, type Show } from '../../domain/answers/shows.ts';
import { DAY, SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../../domain/project.ts';
import { type Change, type Condition, PRESENT } from '../table/expressions.ts';
import { eachPage } from '../table/index-reader.ts';
import { inFlight } from '../table/retry.ts';
import { keyOf, type Row, readRow } from '../table/row.ts';
import { projectShardPartition, SHOWN_PREFIX, shownKey, shownShardEntry, TABLE } from '../table/schema.ts';
import type { PersonDependencies, StoreDependencies, Table } from '../table/table.ts';

/**
 * An element has 34 bytes, an item at most 400 KB, and a project at most 500 surveys. Only hundreds of reported tokens
 * can exceed this limit before the surplus is removed.
 */
const MOST_SURPLUS = 500;

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

function showOf({ surveyId, tokenId }: Pick<ShowTokenClaims, 'surveyId' | 'tokenId'>): Show {
  const at = Number.parseInt(tokenId.slice(0, TIME_DIGITS), 16);
  return { surveyId, at, id: `${at.toString(TIME_RADIX)}.${tokenId.slice(-TAIL_DIGITS)}` };
}

export const timeOfShow = (id: string): number => Number.parseInt(id, TIME_RADIX);

const showText = ({ surveyId, id }: Show): string => `${surveyId}#${id}`;

function readShow(text: string): Show {
  const end = text.lastIndexOf('#');
  const id = text.slice(end + 1);
  return { surveyId: text.slice(0, end), at: timeOfShow(id), id };
}

export const readShows = (row: Row): Show[] => [...(readRow(shownRow, row).shows ?? [])].map(readShow);

export function readShowTimes(row: Row): ReadonlyMap<string, readonly number[]> {
  const bySurvey = Map.groupBy(readShows(row), ({ surveyId }) => surveyId);
  return new Map([...bySurvey].map(([surveyId, shows]) => [surveyId, shows.map(({ at }) => at)]));
}

export const readShowWindow = (row: Row): number => readRow(shownRow, row).windowMs ?? 0;

/** Keeps the item long enough to stop repeated reports of its newest token. */
const ttlAfter = (now: number, windowMs = 0): number =>
  Math.ceil((now + Math.max(windowMs, TOKEN_LIFETIME_RANGE_MS.max) + MARGIN_MS) / SECOND);

function showChange(
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

/** @param surveys the number of surveys in the project */
const isWelcome = ({ at }: Show, surveys: number): Condition => ({
  text: '(attribute_not_exists(#erasedAt) OR #erasedAt < :at) AND (attribute_not_exists(#shows) OR size(#shows) < :most)',
  values: { at, most: surveys * MOST_SHOWS + MOST_SURPLUS },
});

const showsRemoval = (shows: readonly Show[]): Change => ({
  take: { shows: new Set(shows.map(showText)) },
});

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

/** Five reads of 100 rows. */
const PAGE = 500;
const UPDATES_IN_FLIGHT = 25;

export async function takeShows(table: Table, row: Row, shows: readonly Show[]): Promise<void> {
  if (shows.length === 0) return;
  await table.update(keyOf(row), showsRemoval(shows), PRESENT);
}

/** @returns whether time ran out; the next call then starts from the beginning */
export async function stripShows(
  { table, readIndex }: Pick<StoreDependencies, 'table' | 'readIndex'>,
  { projectId, surveyId }: { readonly projectId: string; readonly surveyId: string },
  shard: number,
  isOutOfTime: () => boolean,
): Promise<boolean> {
  const partition = projectShardPartition(projectId, shard);
  if (isOutOfTime()) return true;
  const query = { index: 'byProject', partition, limit: PAGE, prefix: SHOWN_PREFIX } as const;
  for await (const { keys, more } of eachPage(readIndex, query)) {
    const rows = (await table.getMany(keys)).filter((row) => row !== undefined);
    await inFlight(rows, UPDATES_IN_FLIGHT, (row) =>
      takeShows(
        table,
        row,
        readShows(row).filter((show) => show.surveyId === surveyId),
      ),
    );
    if (more && isOutOfTime()) return true;
  }
  return false;
}

export interface ReportedShow {
  readonly projectId: string;
  readonly claims: ShowTokenClaims;
  readonly windowMs: number;
  readonly surveys: number;
}

export function createShowStore({ table, secrets, shards }: PersonDependencies) {
  return {
    /**
     * For a token that was issued before the person's erasure, nothing is stored.
     * @returns false if the show is in the future
     */
    async record({ projectId, claims, windowMs, surveys }: ReportedShow, now: number): Promise<boolean> {
      const show = showOf(claims);
      if (isToCome(show, now)) return false;
      const hash = respondentHash(await secrets.hashSecret(), projectId, claims.respondentId);
      const change = showChange({ projectId, respondentHash: hash, shards }, show, windowMs, now);
      await table.update(shownKey(projectId, hash), change, isWelcome(show, surveys));
      return true;
    },
  };
}

export type ShowStore = ReturnType<typeof createShowStore>;
