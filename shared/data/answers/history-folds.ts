/**
 * Folding long histories: the surveys and times of answers whose tokens expired long ago are added to the respondent's
 * retained suppression, together with the time up to which everything is in it. No answer is touched. A fold that does
 * not happen costs read units and nothing else; one that happens twice changes nothing.
 */

import * as z from 'zod/mini';
import { type AnswerTime, retainedTimes } from '../../domain/erasure.ts';
import { foldAgeMs } from '../../domain/history-fold.ts';
import { readLongestTokenLifetime } from '../projects/project-item.ts';
import { ABSENT, type Condition, PRESENT } from '../table/expressions.ts';
import { type Row, readRow } from '../table/row.ts';
import {
  answersIssuedFrom,
  issueTimeOfAnswer,
  projectKey,
  respondentPartition,
  suppressionKey,
  tokenIdOfAnswer,
} from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import {
  readSuppression,
  type Suppression,
  suppressionChange,
  timesRemoval,
  timeText,
} from './suppression-item.ts';

export interface FoldTarget {
  readonly projectId: string;
  readonly respondentHash: string;
}

export interface HistoryFolds {
  /**
   * Folds what is old enough, of a very long history a part: the next fold goes on behind it.
   * @param now milliseconds since the epoch
   */
  fold(target: FoldTarget, now: number): Promise<void>;
}

/** Answer times that no rule asks about any more are taken out once there are so many. */
const OUTDATED_TIMES = 8;

/** Pages, of at most 1 MB each, that one fold reads. */
const MOST_PAGES = 50;

const answerRow = z.object({ pk: z.string(), sk: z.string(), surveyId: z.string(), at: z.string() });
type FoldedAnswer = z.output<typeof answerRow>;

const timeOf = ({ at, sk }: FoldedAnswer): AnswerTime => ({
  at: Date.parse(at),
  tokenId: tokenIdOfAnswer(sk),
});

/** No other fold has changed the item since this one read it. */
function isUnchanged({ foldedUpTo }: Suppression): Condition {
  return foldedUpTo === undefined
    ? { text: 'attribute_exists(#pk) AND attribute_not_exists(#foldedUpTo)' }
    : { text: 'attribute_exists(#pk) AND #foldedUpTo = :known', values: { known: foldedUpTo } };
}

export function createHistoryFolds(
  table: Table,
  shards: number,
  { mostPages = MOST_PAGES }: { readonly mostPages?: number } = {},
): HistoryFolds {
  /** What lies between two times of issue, and up to which of them that is everything; it is always some way further. */
  async function readBetween(
    target: FoldTarget,
    from: number,
    to: number,
  ): Promise<{ readonly rows: readonly Row[]; readonly foldedUpTo: number }> {
    const rows: Row[] = [];
    let after: string | undefined;
    for (let pages = 1; ; pages += 1) {
      const page = await table.page({
        partition: respondentPartition(target.projectId, target.respondentHash),
        from: answersIssuedFrom(from),
        to: answersIssuedFrom(to),
        after,
        attributes: ['pk', 'sk', 'type', 'surveyId', 'at'],
      });
      rows.push(...page.rows);
      if (page.last === undefined) return { rows, foldedUpTo: to };
      const reached = issueTimeOfAnswer(page.last);
      if (pages >= mostPages && reached > from) return { rows, foldedUpTo: reached };
      after = page.last;
    }
  }

  /** @returns false when another fold came first, or a purge is taking everything away */
  async function add(
    target: FoldTarget,
    before: Suppression | undefined,
    answers: readonly FoldedAnswer[],
    folded: { readonly times: readonly AnswerTime[]; readonly foldedUpTo: number },
  ): Promise<boolean> {
    const key = suppressionKey(target.projectId, target.respondentHash);
    const surveyIds = answers.map(({ surveyId }) => surveyId);
    const change = suppressionChange({ ...target, shards }, { surveyIds, ...folded });
    if (before !== undefined) return (await table.update(key, change, isUnchanged(before))).done;
    // Made only beside an answer that is still there: a purge finds both, and after it nothing can be made.
    const [newest] = answers.slice(-1);
    if (newest === undefined) return false;
    const made = await table.transact([
      { check: { pk: newest.pk, sk: newest.sk }, when: PRESENT },
      { update: key, change, when: ABSENT },
    ]);
    return made.done;
  }

  return {
    async fold(target, now) {
      const key = suppressionKey(target.projectId, target.respondentHash);
      const row = await table.get(key);
      const before = row && readSuppression(row);
      const project = await table.get(projectKey(target.projectId));
      const oldEnough = now - foldAgeMs(project && readLongestTokenLifetime(project));
      const { rows, foldedUpTo } = await readBetween(target, before?.foldedUpTo ?? 0, oldEnough);
      // Tombstones are not folded, but need not be read again either.
      if (rows.length === 0) return;
      const answers = rows
        .filter(({ type }) => type === 'response' || type === 'dismissal')
        .map((row) => readRow(answerRow, row));
      const known = before?.times ?? [];
      // The latest time of all stays, however long ago: some survey's quiet period may still count from it.
      const times = retainedTimes([...answers.map(timeOf), ...known], Number.POSITIVE_INFINITY, now);
      if (!(await add(target, before, answers, { times, foldedUpTo }))) return;
      const wanted = new Set(times.map(timeText));
      const outdated = known.map(timeText).filter((text) => !wanted.has(text));
      if (outdated.length < OUTDATED_TIMES) return;
      await table.update(key, timesRemoval(outdated), PRESENT);
    },
  };
}
