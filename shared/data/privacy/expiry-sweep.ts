/**
 * The sweep of answers whose retention has ended. They are gone for every reader by then, by the settings and the time
 * alone; here they leave the table. An answer is the suppression of who gave it, so a person is folded past it first;
 * then a tombstone takes its place, on condition that it is as it was read. It may end anywhere, and the next sweep goes
 * on behind the last page that was done.
 */

import * as z from 'zod/mini';
import { foldAgeMs } from '../../domain/answers/history.ts';
import { addDays } from '../../domain/days.ts';
import { HOUR, SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import { completeFrom, type ProjectSettings } from '../../domain/project.ts';
import { isGone, OBSERVATION_KEPT_MS, SCORES_KEPT_MS } from '../../domain/retention.ts';
import { queueOf } from '../../domain/scoring.ts';
import { isOfObservation, readResponse } from '../answers/answer-item.ts';
import type { HistoryFolds } from '../answers/history-folds.ts';
import { readLongestTokenLifetime } from '../projects/project-item.ts';
import type { Withdrawals } from '../scores/withdrawals.ts';
import { equalTo } from '../table/expressions.ts';
import { eachPage, type KeyPage, type ReadIndex } from '../table/index-reader.ts';
import { inFlight, type Pause } from '../table/retry.ts';
import { type Row, readRow } from '../table/row.ts';
import {
  FIRST_ISSUED,
  issueTimeOfAnswer,
  projectKey,
  projectShardPartition,
  respondentOfPartition,
  surveyPrefix,
  withoutId,
} from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { addExpired, type ExpiryCounts, type ExpiryProgress, NOTHING_EXPIRED } from './expiry-progress.ts';
import { tombstoneEnd, tombstoneItem } from './tombstone-item.ts';

export interface ExpiryOptions {
  /** Asked after each page. */
  readonly isOutOfTime: () => boolean;
  /** Told of what one person's answers were kept by. */
  readonly onFailure?: (error: unknown) => void;
}

export interface ExpirySwept extends ExpiryCounts {
  /** Whether all that has ended was looked at, or the project's purge has begun. */
  readonly isDone: boolean;
  /** Whether it has: nothing may be written of it any more. */
  readonly isGone?: true;
}

export interface ExpirySweep {
  /**
   * Sweeps a project, or goes on where a sweep was cut short.
   * @returns what it came to, with what the one that it goes on with did
   * @throws when the table is unavailable
   */
  sweep(settings: ProjectSettings, options: ExpiryOptions): Promise<ExpirySwept>;
}

/**
 * The stream's consumer goes by DynamoDB's clock, the sweep by a function's: were the one behind the other, a row would
 * leave before its end and be taken off its day's numbers.
 */
export const EXPIRY_MARGIN_MS = HOUR;

/** Index entries of one page, and answers of how many people are at work at once. */
const PAGE = 100;
const PERSONS_IN_FLIGHT = 8;

/**
 * At most 200 answers a second: of four write units each a fifth of what a table on demand takes from its first moment
 * on (4,000 units), and less than one partition takes of an index.
 */
const MS_PER_ANSWER = 5;

/** Behind every time of a day. */
const BEHIND = '~';

/** A purge of the account waits longer than this between its mark and its first deletion (shared/purge). */
const LOOKED_AT_MS = 20 * SECOND;

const expiringRow = once(() =>
  z.object({
    pk: z.string(),
    sk: z.string(),
    type: z.enum(['response', 'dismissal']),
    source: z.optional(z.string()),
    surveyId: z.string(),
    at: z.string(),
    tokenExpiresAt: z.number(),
  }),
);

interface Expiring extends z.output<ReturnType<typeof expiringRow>> {
  readonly row: Row;
}

/** Until when a token of the answer, or another of its observation, must not be taken for unused. */
function lastUse(answer: Expiring): number {
  const end = tombstoneEnd(answer.tokenExpiresAt);
  return isOfObservation(answer) ? Math.max(end, Date.parse(answer.at) + OBSERVATION_KEPT_MS) : end;
}

const partitionsOf = (answers: readonly Expiring[]): (readonly Expiring[])[] => [
  ...Map.groupBy(answers, ({ pk }) => pk).values(),
];

/** What a sweep of one project goes by. */
interface Run {
  readonly settings: ProjectSettings;
  readonly options: ExpiryOptions;
  /** The project's item, looked at lately; undefined once a purge of the account has begun. */
  readonly project: () => Promise<Row | undefined>;
}

interface ExpirySweepParts {
  readonly table: Table;
  readonly readIndex: ReadIndex;
  /** Shards of each index per project. */
  readonly shards: number;
  readonly progress: ExpiryProgress;
  readonly folds: HistoryFolds;
  readonly withdrawals: Withdrawals;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly pause: Pause;
}

export function createExpirySweep(parts: ExpirySweepParts): ExpirySweep {
  const { table, readIndex, shards, progress, folds, withdrawals, clock, pause } = parts;

  function watch(projectId: string): Run['project'] {
    let looked: { readonly row: Row | undefined; readonly at: number } | undefined;
    return async () => {
      if (looked === undefined || clock() - looked.at >= LOOKED_AT_MS) {
        const at = clock();
        looked = { row: await table.get(projectKey(projectId)), at };
      }
      return looked.row?.purgedAt === undefined ? looked.row : undefined;
    };
  }

  /** Whether an answer's score still waits; a withdrawn one is handed over where the adapter deletes it. */
  async function waitsForScore({ settings }: Run, { row, type, surveyId, at }: Expiring): Promise<boolean> {
    if (type !== 'response') return false;
    const response = readResponse(row);
    const queue = queueOf(response);
    const { id } = settings.project;
    if (
      queue === undefined ||
      isGone(at, completeFrom(settings, surveyId, clock() - EXPIRY_MARGIN_MS - SCORES_KEPT_MS))
    )
      return false;
    if (response.kind !== 'withdrawn' || !(await withdrawals.isServed(id))) return true;
    await withdrawals.queue(id, [row]);
    return false;
  }

  /**
   * A link's token counts as issued later than it was, and lifetimes may have been raised since: where answers can still
   * come to lie before it, an answer stays.
   */
  const isFoldable = (project: Row, { sk }: Expiring): boolean =>
    issueTimeOfAnswer(sk) < clock() - foldAgeMs(readLongestTokenLifetime(project));

  /** @returns false when it is no longer as it was read: the next sweep finds what it is then */
  async function replace(answer: Expiring): Promise<boolean> {
    const { type, at, revision, scoreState } = answer.row;
    // DynamoDB never acts on a time to live that is over by five years (DynamoDB, "Time to Live").
    const tombstone = tombstoneItem(answer.row, Math.max(lastUse(answer), clock()));
    return (await table.put(tombstone, equalTo({ type, at, revision, scoreState }))).done;
  }

  async function expirePerson(run: Run, answers: readonly Expiring[]): Promise<ExpiryCounts> {
    const { project, settings } = run;
    const [first] = answers;
    const person = first && respondentOfPartition(first.pk);
    const item = await project();
    if (person === undefined || item === undefined) return NOTHING_EXPIRED;
    const ready: Expiring[] = [];
    for (const answer of answers) {
      if (isFoldable(item, answer) && !(await waitsForScore(run, answer))) ready.push(answer);
    }
    const issued = Math.max(...ready.map(({ sk }) => issueTimeOfAnswer(sk)));
    if (issued >= FIRST_ISSUED) {
      const target = { projectId: settings.project.id, respondentHash: person.respondentHash };
      await folds.foldBefore(target, issued + 1, clock());
    }
    let expired = 0;
    for (const answer of ready) if (await replace(answer)) expired += 1;
    const { length: rows } = answers;
    return { rows, expired, waiting: rows - ready.length, failed: 0 };
  }

  async function expirePage(run: Run, { keys }: KeyPage): Promise<ExpiryCounts> {
    const rows = await table.getMany(keys);
    const answers = rows.flatMap((row): Expiring[] =>
      row?.type === 'response' || row?.type === 'dismissal' ? [{ ...readRow(expiringRow, row), row }] : [],
    );
    const counts = await inFlight(partitionsOf(answers), PERSONS_IN_FLIGHT, async (ofPerson) => {
      try {
        return await expirePerson(run, ofPerson);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        run.options.onFailure?.(error);
        return { ...NOTHING_EXPIRED, rows: ofPerson.length, failed: ofPerson.length };
      }
    });
    return counts.reduce(addExpired, NOTHING_EXPIRED);
  }

  /** Surveys of which answers have ended, in the order of a sweep, with the first day that is kept. */
  const endedIn = (settings: ProjectSettings): (readonly [string, string])[] =>
    [...settings.surveys.keys()]
      .sort()
      .map((id) => [id, completeFrom(settings, id, clock() - EXPIRY_MARGIN_MS)] as const)
      .filter(([, keptFrom]) => keptFrom !== '');

  return {
    async sweep(settings, options) {
      const { id: projectId } = settings.project;
      const run: Run = { settings, options, project: watch(projectId) };
      const {
        startedAt,
        shard: firstShard,
        surveyId: firstSurvey,
        after: behind,
        ...before
      } = await progress.begin(projectId, clock());
      let counts: ExpiryCounts = before;
      for (let shard = firstShard; shard < shards; shard++) {
        for (const [surveyId, keptFrom] of endedIn(settings)) {
          if (shard === firstShard && surveyId < firstSurvey) continue;
          const isFirst = shard === firstShard && surveyId === firstSurvey;
          const query = {
            index: 'byProject',
            partition: projectShardPartition(projectId, shard),
            from: surveyPrefix(surveyId),
            to: `${surveyPrefix(surveyId)}${addDays(keptFrom, -1)}`,
            after: (isFirst && behind) || undefined,
            limit: PAGE,
          } as const;
          for await (const page of eachPage(readIndex, query)) {
            if (page.keys.length === 0) continue;
            const swept = await expirePage(run, page);
            counts = addExpired(counts, swept);
            if ((await run.project()) === undefined) return { ...counts, isDone: true, isGone: true };
            const after = page.more ? withoutId(page.orders.at(-1) ?? '') : `${query.to}${BEHIND}`;
            await progress.keep(projectId, { ...counts, startedAt, shard, surveyId, after }, clock());
            if (options.isOutOfTime()) return { ...counts, isDone: false };
            await pause(swept.expired * MS_PER_ANSWER);
          }
        }
      }
      if ((await run.project()) === undefined) return { ...counts, isDone: true, isGone: true };
      await progress.finish(projectId, { ...counts, startedAt }, clock());
      return { ...counts, isDone: true };
    },
  };
}
