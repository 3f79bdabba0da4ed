import { respondentHash } from '../../crypto/derive.ts';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import type { ShowTokenClaims } from '../../domain/answers/answer.ts';
import { isToCome, type Show } from '../../domain/answers/shows.ts';
import { PRESENT } from '../table/expressions.ts';
import { eachPage, type ReadIndex } from '../table/index-reader.ts';
import { inFlight } from '../table/retry.ts';
import type { Row } from '../table/row.ts';
import { projectShardPartition, SHOWN_PREFIX, shownKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { isWelcome, readShows, showChange, showOf, showsRemoval } from './shown-item.ts';

/** Five reads of 100 rows. */
const PAGE = 500;
const UPDATES_IN_FLIGHT = 25;

export async function takeShows(table: Table, { pk, sk }: Row, shows: readonly Show[]): Promise<void> {
  if (shows.length === 0) return;
  await table.update({ pk: String(pk), sk: String(sk) }, showsRemoval(shows), PRESENT);
}

interface StripParts {
  readonly table: Table;
  readonly readIndex: ReadIndex;
}

/** After a timeout, the next call starts again. @returns whether time ran out */
export async function stripShows(
  { table, readIndex }: StripParts,
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
  /** Period in which shows are counted. */
  readonly windowMs: number;
  readonly surveys: number;
}

export interface ShowStore {
  /**
   * Repeatable. A show of a token issued before the person was erased is not stored.
   * @returns false if the show is in the future
   */
  record(reported: ReportedShow, now: number): Promise<boolean>;
}

interface ShowStoreParts {
  readonly table: Table;
  readonly secrets: HashSecret;
  readonly shards: number;
}

export function createShowStore({ table, secrets, shards }: ShowStoreParts): ShowStore {
  return {
    async record({ projectId, claims, windowMs, surveys }, now) {
      const show = showOf(claims);
      if (isToCome(show, now)) return false;
      const hash = respondentHash(await secrets.hashSecret(), projectId, claims.respondentId);
      const change = showChange({ projectId, respondentHash: hash, shards }, show, windowMs, now);
      await table.update(shownKey(projectId, hash), change, isWelcome(show, surveys));
      return true;
    },
  };
}
