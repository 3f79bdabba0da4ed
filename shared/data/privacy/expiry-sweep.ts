/** Before a tombstone replaces an answer, the person's history is folded past it. The sweep can stop at any point. */

import { foldAgeMs } from '../../domain/answers/history.ts';
import { addDays } from '../../domain/days.ts';
import { HOUR, SECOND } from '../../domain/duration.ts';
import { completeFrom, type ProjectSettings } from '../../domain/project.ts';
import { isGone, OBSERVATION_KEPT_MS, SCORES_KEPT_MS } from '../../domain/retention.ts';
import { queueOf } from '../../domain/scoring.ts';
import { type DeletableAnswer, deletableIn, hasSharedTokenId, readResponse } from '../answers/answer-item.ts';
import type { HistoryFolds } from '../answers/history-folds.ts';
import { readLongestTokenLifetime } from '../projects/project-item.ts';
import type { Withdrawals } from '../scores/withdrawals.ts';
import { equalTo } from '../table/expressions.ts';
import { eachPage, type KeyPage } from '../table/index-reader.ts';
import { inFlight, type Pause } from '../table/retry.ts';
import { type Row, tombstoneEnd, tombstoneItem } from '../table/row.ts';
import {
  FIRST_ISSUED,
  issueTimeOfAnswer,
  projectKey,
  projectShardPartition,
  respondentOfPartition,
  surveyPrefix,
  withoutId,
} from '../table/schema.ts';
import type { IndexDependencies, StoreDependencies } from '../table/table.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { addExpired, type ExpiryCounts, type ExpiryProgress, NOTHING_EXPIRED } from './expiry-progress.ts';

export interface ExpiryOptions {
  readonly isOutOfTime: () => boolean;
  readonly onFailure?: (error: unknown) => void;
}

export interface ExpirySwept extends ExpiryCounts {
  readonly isDone: boolean;
  /** The project's purge has begun; nothing may be written for it. */
  readonly isGone?: true;
}

/**
 * The consumer of the stream has another clock. If it saw a row deleted too early, it would subtract the row from its
 * day's results.
 */
export const EXPIRY_MARGIN_MS = HOUR;

const PAGE = 100;
const PERSONS_IN_FLIGHT = 8;

/**
 * Each answer takes four write units. This pace uses a fifth of an on-demand table's initial capacity of 4,000 units.
 */
const MS_PER_ANSWER = 5;

/** Sorts after every time of a day. */
const BEHIND = '~';

/** Must be shorter than the wait between a purge's mark and its first deletion (shared/purge). */
const LOOKED_AT_MS = 20 * SECOND;

/** Other tokens with the same id must count as used, too. */
function lastUse(answer: DeletableAnswer): number {
  const end = tombstoneEnd(answer.tokenExpiresAt);
  return hasSharedTokenId(answer) ? Math.max(end, Date.parse(answer.at) + OBSERVATION_KEPT_MS) : end;
}

const partitionsOf = (answers: readonly DeletableAnswer[]): (readonly DeletableAnswer[])[] => [
  ...Map.groupBy(answers, ({ pk }) => pk).values(),
];

interface Run {
  readonly settings: ProjectSettings;
  readonly options: ExpiryOptions;
  /** Returns undefined once the purge of the project has begun. */
  readonly project: () => Promise<Row | undefined>;
}

interface ExpirySweepDependencies extends IndexDependencies, Pick<StoreDependencies, 'clock'> {
  readonly progress: ExpiryProgress;
  readonly folds: HistoryFolds;
  readonly withdrawals: Withdrawals;
  readonly pause: Pause;
}

export function createExpirySweep(dependencies: ExpirySweepDependencies) {
  const { table, readIndex, shards, progress, folds, withdrawals, clock, pause } = dependencies;

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

  async function waitsForScore(
    { settings }: Run,
    { row, type, surveyId, at }: DeletableAnswer,
  ): Promise<boolean> {
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

  /** A link's token counts as issued later than it was, and the project may have raised its token lifetime. */
  const isFoldable = (project: Row, { sk }: DeletableAnswer): boolean =>
    issueTimeOfAnswer(sk) < clock() - foldAgeMs(readLongestTokenLifetime(project));

  /** If the row has changed, the next sweep reads it again. */
  async function replace(answer: DeletableAnswer): Promise<boolean> {
    const { type, at, revision, scoreState } = answer.row;
    // DynamoDB ignores a time to live over five years ago (DynamoDB, "Time to Live").
    const tombstone = tombstoneItem(answer.row, Math.max(lastUse(answer), clock()));
    return (await table.put(tombstone, equalTo({ type, at, revision, scoreState }))).done;
  }

  async function expirePerson(run: Run, answers: readonly DeletableAnswer[]): Promise<ExpiryCounts> {
    const { project, settings } = run;
    const [first] = answers;
    const person = first && respondentOfPartition(first.pk);
    const item = await project();
    if (person === undefined || item === undefined) return NOTHING_EXPIRED;
    const ready: DeletableAnswer[] = [];
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
    const counts = await inFlight(partitionsOf(deletableIn(rows)), PERSONS_IN_FLIGHT, async (ofPerson) => {
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

  const endedIn = (settings: ProjectSettings): (readonly [string, string])[] =>
    [...settings.surveys.keys()]
      .sort()
      .map((id) => [id, completeFrom(settings, id, clock() - EXPIRY_MARGIN_MS)] as const)
      .filter(([, keptFrom]) => keptFrom !== '');

  return {
    /** Totals include those of an interrupted sweep. */
    async sweep(settings: ProjectSettings, options: ExpiryOptions): Promise<ExpirySwept> {
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
