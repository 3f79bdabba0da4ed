/**
 * Before a page of answers is deleted, it is added to the suppression and its scores are queued for deletion. Repeating
 * the call continues after a crash.
 */

import { isTokenLive, retainedTimes } from '../../domain/answers/erasure.ts';
import type { IsGoneAnswer } from '../../domain/gone-answers.ts';
import { TOKEN_LIFETIME_RANGE_MS } from '../../domain/project.ts';
import {
  type DeletableAnswer,
  deletableIn,
  hasSharedTokenId,
  isBesideHistory,
} from '../answers/answer-item.ts';
import { readPast } from '../answers/retained.ts';
import {
  readSuppression,
  removal,
  type Suppression,
  supersededIn,
  suppressionChange,
  timeText,
} from '../answers/suppression-item.ts';
import type { Withdrawals } from '../scores/withdrawals.ts';
import { erasedShownItem, readShows } from '../shows/show-store.ts';
import { PRESENT } from '../table/expressions.ts';
import { inFlight } from '../table/retry.ts';
import { probeAttributes, type Row, tombstoneEnd, tombstoneItem } from '../table/row.ts';
import { respondentPartition, suppressionKey } from '../table/schema.ts';
import type { StoreDependencies } from '../table/table.ts';
import { isUnavailable } from '../table/unavailable.ts';
import type { ErasureLog } from './erasure-log.ts';

export interface RespondentErasure {
  readonly responsesDeleted: number;
  readonly dismissalsDeleted: number;
  readonly suppressionRetained: number;
  readonly withdrawals: number;
  /** True if time ran out or the table became unavailable. */
  readonly more: boolean;
}

export interface ErasureTarget {
  readonly projectId: string;
  readonly respondentHash: string;
  readonly longestQuietPeriodMs: number;
  /** Set only for the synthetic monitor, in milliseconds. Its erasures are not logged. */
  readonly rowExpiresAt?: number | undefined;
  /** Records the erasure even if nothing is stored, so that no import brings the person back. */
  readonly isKnown?: boolean;
  /** May be called twice. */
  readonly beforeErasing?: () => Promise<void>;
  /** Expired answers are deleted but not counted. */
  readonly isGone?: IsGoneAnswer;
  readonly isOutOfTime?: () => boolean;
}

/** 1 MB holds about 40 of the largest answers. */
const PAGE = 250;
const DELETIONS_IN_FLIGHT = 25;

/** All tokens with the same id were issued before the answer. */
function lastExpiry(answer: DeletableAnswer): number {
  if (!hasSharedTokenId(answer)) return answer.tokenExpiresAt;
  return Math.max(answer.tokenExpiresAt, Date.parse(answer.at) + TOKEN_LIFETIME_RANGE_MS.max);
}

interface Held extends Pick<Suppression, 'times' | 'asked'> {
  readonly isNoted: boolean;
}

interface Progress {
  readonly deleted: { response: number; dismissal: number };
  readonly surveyIds: Set<string>;
  withdrawals: number;
  more: boolean;
}

interface ErasureStoreDependencies extends Pick<StoreDependencies, 'table' | 'shards'> {
  readonly log: ErasureLog;
  readonly withdrawals: Withdrawals;
}

export function createErasureStore({ table, shards, log, withdrawals }: ErasureStoreDependencies) {
  /** A full item accepts no more times. Until the answers are added, their rows still suppress the survey. */
  async function retain(
    { projectId, respondentHash, longestQuietPeriodMs, rowExpiresAt }: ErasureTarget,
    answers: readonly DeletableAnswer[],
    { times: known, asked, isNoted }: Held,
    now: number,
  ): Promise<Held> {
    const key = suppressionKey(projectId, respondentHash);
    const counted = answers.filter((answer) => !isBesideHistory(answer));
    const times = retainedTimes(
      [...counted.map(({ row }) => readPast(row).time), ...known],
      longestQuietPeriodMs,
      now,
    );
    const kept = new Set(times.map(timeText));
    const outdated = {
      times: known.map(timeText).filter((text) => !kept.has(text)),
      asked: supersededIn(asked),
    };
    if (outdated.times.length + outdated.asked.length > 0)
      await table.update(key, removal(outdated), PRESENT);
    if (answers.length > 0 || !isNoted) {
      const surveyIds = counted.map(({ surveyId }) => surveyId);
      const suppressed = { surveyIds, times, erasedAt: new Date(now).toISOString() };
      const change = suppressionChange({ projectId, respondentHash, shards }, suppressed);
      const probe = rowExpiresAt === undefined ? {} : probeAttributes(rowExpiresAt);
      await table.update(key, { ...change, set: { ...change.set, ...probe }, remove: ['sessions'] });
    }
    return { times, asked: [], isNoted: true };
  }

  /** A purge may be deleting the same row. */
  async function remove(answer: DeletableAnswer, now: number): Promise<void> {
    const { pk, sk, row } = answer;
    const tokenExpiresAt = lastExpiry(answer);
    if (isTokenLive(tokenExpiresAt, now)) {
      await table.put(tombstoneItem(row, tombstoneEnd(tokenExpiresAt)), PRESENT);
    } else await table.delete({ pk, sk });
  }

  async function erasePage(
    answers: readonly DeletableAnswer[],
    { isGone = () => false }: ErasureTarget,
    progress: Progress,
    now: number,
  ): Promise<void> {
    await inFlight(answers, DELETIONS_IN_FLIGHT, async (answer) => {
      await remove(answer, now);
      if (!isGone(answer.surveyId, answer.at)) progress.deleted[answer.type] += 1;
      if (!isBesideHistory(answer)) progress.surveyIds.add(answer.surveyId);
    });
  }

  /** Sorts behind all answers, so it is on the last page. */
  async function findSuppression(
    partition: string,
    first: { rows: readonly Row[]; last: string | undefined },
  ) {
    const { sk } = suppressionKey('', '');
    const { rows } = first.last === undefined ? first : await table.page({ partition, from: sk, to: sk });
    const row = rows.find(({ type }) => type === 'suppression');
    return row && readSuppression(row);
  }

  async function eraseStored(
    target: ErasureTarget,
    progress: Progress,
    now: number,
  ): Promise<{ readonly wasErased: boolean } | undefined> {
    const { projectId, respondentHash, isOutOfTime = () => false } = target;
    const partition = respondentPartition(projectId, respondentHash);
    let page = await table.page({ partition, limit: PAGE });
    if (page.rows.length === 0 && target.isKnown !== true) return undefined;
    const before = await findSuppression(partition, page);
    const wasErased = before?.erasedAt !== undefined;
    let held: Held = {
      times: before?.times ?? [],
      asked: before?.asked ?? [],
      isNoted: wasErased && before.sessions.length === 0,
    };
    let isLogged = false;
    for (;;) {
      const answers = deletableIn(page.rows);
      const isShown = page.rows.some((row) => row.type === 'shown' && readShows(row).length > 0);
      if (!isLogged && (answers.length > 0 || isShown || !wasErased)) {
        if (target.rowExpiresAt === undefined) {
          await log.record({ mode: 'respondent', projectId, respondentHash }, now);
        }
        await target.beforeErasing?.();
        isLogged = true;
      }
      held = await retain(target, answers, held, now);
      progress.withdrawals += await withdrawals.queue(projectId, page.rows);
      await erasePage(answers, target, progress, now);
      // A token from before the erasure may still be presented.
      if (isShown) await table.put(erasedShownItem({ projectId, respondentHash, shards }, now), PRESENT);
      if (page.last === undefined) return { wasErased };
      if (isOutOfTime()) {
        progress.more = true;
        return { wasErased };
      }
      page = await table.page({ partition, limit: PAGE, after: page.last });
    }
  }

  return {
    /** @throws if the table is unavailable before anything was deleted */
    async eraseByHash(target: ErasureTarget, now: number): Promise<RespondentErasure | undefined> {
      const progress: Progress = {
        deleted: { response: 0, dismissal: 0 },
        surveyIds: new Set(),
        withdrawals: 0,
        more: false,
      };
      try {
        const erased = await eraseStored(target, progress, now);
        if (erased === undefined) return undefined;
        // An import may have stored answers before the suppression was updated.
        if (!erased.wasErased && !progress.more) {
          await eraseStored({ ...target, isKnown: false }, progress, now);
        }
      } catch (error) {
        const { response, dismissal } = progress.deleted;
        if (!isUnavailable(error) || response + dismissal === 0) throw error;
        progress.more = true;
      }
      return {
        responsesDeleted: progress.deleted.response,
        dismissalsDeleted: progress.deleted.dismissal,
        suppressionRetained: progress.surveyIds.size,
        withdrawals: progress.withdrawals,
        more: progress.more,
      };
    },
  };
}
