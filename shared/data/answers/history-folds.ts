/**
 * Folding long histories: the surveys and times of answers whose tokens expired long ago are added to the respondent's
 * retained suppression, together with the time up to which everything is in it. No answer is touched. A fold that does
 * not happen costs read units and nothing else; one that happens twice changes nothing.
 */

import * as z from 'zod/mini';
import { type AnswerTime, retainedTimes } from '../../domain/erasure.ts';
import { FOLD_AGE_MS } from '../../domain/history-fold.ts';
import { ABSENT, type Condition, PRESENT } from '../table/expressions.ts';
import { readRow } from '../table/row.ts';
import { answersIssuedFrom, respondentPartition, suppressionKey, tokenIdOfAnswer } from '../table/schema.ts';
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
  /** @param now milliseconds since the epoch */
  fold(target: FoldTarget, now: number): Promise<void>;
}

/** Answer times that no rule asks about any more are taken out once there are so many. */
const OUTDATED_TIMES = 8;

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

export function createHistoryFolds(table: Table, shards: number): HistoryFolds {
  async function answersBetween(target: FoldTarget, from: number, to: number): Promise<FoldedAnswer[]> {
    const rows = await table.query({
      partition: respondentPartition(target.projectId, target.respondentHash),
      from: answersIssuedFrom(from),
      to: answersIssuedFrom(to),
      attributes: ['pk', 'sk', 'type', 'surveyId', 'at'],
    });
    return rows
      .filter(({ type }) => type === 'response' || type === 'dismissal')
      .map((row) => readRow(answerRow, row));
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
      const foldedUpTo = now - FOLD_AGE_MS;
      const answers = await answersBetween(target, before?.foldedUpTo ?? 0, foldedUpTo);
      if (answers.length === 0) return;
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
