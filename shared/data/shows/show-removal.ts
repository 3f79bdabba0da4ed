/** Taking shows out: those beyond what is kept, and those of a survey that is purged. Neither makes an item. */

import type { Show } from '../../domain/answers/shows.ts';
import { PRESENT } from '../table/expressions.ts';
import { eachPage } from '../table/index-pages.ts';
import type { ReadIndex } from '../table/index-reader.ts';
import { inFlight } from '../table/retry.ts';
import type { Row } from '../table/row.ts';
import { projectShardPartition, SHOWN_PREFIX } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { readShows, showsRemoval } from './shown-item.ts';

/** Index entries of one step: five reads of 100 rows. */
const PAGE = 500;
const UPDATES_IN_FLIGHT = 25;

/** @param row of type `shown`, as it was read or streamed */
export async function takeShows(table: Table, { pk, sk }: Row, shows: readonly Show[]): Promise<void> {
  if (shows.length === 0) return;
  await table.update({ pk: String(pk), sk: String(sk) }, showsRemoval(shows), PRESENT);
}

interface StripParts {
  readonly table: Table;
  readonly readIndex: ReadIndex;
}

/**
 * Takes a survey's shows out of every person's item in a shard of the project's index. What time runs out for is begun
 * anew.
 * @returns whether time ran out
 */
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
