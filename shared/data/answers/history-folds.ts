/**
 * Adds surveys and times of answers whose tokens expired long ago to the suppression. Repeating a fold changes nothing;
 * a missing fold only costs read units.
 */

import { respondentHash } from '../../crypto/derive.ts';
import { foldAgeMs } from '../../domain/answers/history.ts';
import { HOUR, MINUTE, SECOND } from '../../domain/duration.ts';
import { readLongestTokenLifetime } from '../projects/project-item.ts';
import { withDeadline } from '../table/deadline.ts';
import { ABSENT, all, type Condition, PRESENT } from '../table/expressions.ts';
import { isAnswerRow, keyOf, type Row } from '../table/row.ts';
import {
  answersIssuedFrom,
  FIRST_ISSUED,
  foldRequestKey,
  issueTimeOfAnswer,
  type Key,
  projectKey,
  respondentPartition,
  suppressionKey,
  TABLE,
} from '../table/schema.ts';
import type { StoreDependencies, Table } from '../table/table.ts';
import {
  type Folded,
  foldAnswers,
  outdatedBy,
  readPast,
  superfluousIn,
  WORTH_TAKING_OUT,
} from './retained.ts';
import { readSuppression, removal, type Suppression, suppressionChange } from './suppression-item.ts';

export interface FoldTarget {
  readonly projectId: string;
  readonly respondentHash: string;
}

const MOST_PAGES = 50;

const MOST_LOST_RACES = 10;

const NOT_ERASED = all(PRESENT, { text: 'attribute_not_exists(#erasedAt)' });

const isStill = (name: 'foldedUpTo' | 'erasedAt', value: number | string | undefined): Condition =>
  value === undefined
    ? { text: `attribute_not_exists(#${name})` }
    : { text: `#${name} = :${name}`, values: { [name]: value } };

/** A fold after an erasure would restore session marks. */
const isUnchanged = ({ foldedUpTo, erasedAt }: Suppression): Condition =>
  all(PRESENT, isStill('foldedUpTo', foldedUpTo), isStill('erasedAt', erasedAt));

export function createHistoryFolds(
  table: Table,
  shards: number,
  { mostPages = MOST_PAGES }: { readonly mostPages?: number } = {},
) {
  async function readTidied(key: Key, now: number): Promise<Suppression | undefined> {
    const row = await table.get(key);
    const read = row && readSuppression(row);
    const superfluous = read && superfluousIn(read, now);
    if (superfluous === undefined) return read;
    await table.update(key, removal(superfluous), PRESENT);
    const tidied = await table.get(key);
    return tidied && readSuppression(tidied);
  }

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
        attributes: ['pk', 'sk', 'type', 'surveyId', 'at', 'sessionMark'],
      });
      rows.push(...page.rows);
      if (page.last === undefined) return { rows, foldedUpTo: to };
      const reached = issueTimeOfAnswer(page.last);
      if (pages >= mostPages && reached > from) return { rows, foldedUpTo: reached };
      after = page.last;
    }
  }

  async function add(
    target: FoldTarget,
    before: Suppression | undefined,
    answers: readonly Row[],
    folded: Folded & { readonly foldedUpTo: number },
  ): Promise<boolean> {
    const key = suppressionKey(target.projectId, target.respondentHash);
    const change = suppressionChange({ ...target, shards }, folded);
    if (before !== undefined) return (await table.update(key, change, isUnchanged(before))).done;
    const [newest] = answers.slice(-1);
    if (newest === undefined) return false;
    const made = await table.transact([
      { check: keyOf(newest), when: PRESENT },
      { update: key, change, when: ABSENT },
    ]);
    return made.done;
  }

  async function takeOut(key: Key, before: Suppression | undefined, folded: Folded): Promise<void> {
    const outdated = outdatedBy(before, folded);
    const { length } = Object.values(outdated).flat();
    // Survey ids without times are not part of an erased history, unless the person is being erased at this moment.
    if (outdated.surveyIds.length > 0) await table.update(key, removal(outdated), NOT_ERASED);
    else if (length >= WORTH_TAKING_OUT) await table.update(key, removal(outdated), PRESENT);
  }

  return {
    async fold(target: FoldTarget, now: number) {
      const key = suppressionKey(target.projectId, target.respondentHash);
      const before = await readTidied(key, now);
      const project = await table.get(projectKey(target.projectId));
      const oldEnough = now - foldAgeMs(project && readLongestTokenLifetime(project));
      const { rows, foldedUpTo } = await readBetween(target, before?.foldedUpTo ?? FIRST_ISSUED, oldEnough);
      if (rows.length === 0) return;
      const answers = rows.filter(isAnswerRow);
      const folded = foldAnswers(before, answers.map(readPast), now);
      if (await add(target, before, answers, { ...folded, foldedUpTo })) await takeOut(key, before, folded);
    },

    /** Callers must have checked for a purge within the last minute: this may create the suppression. */
    async foldBefore(target: FoldTarget, before: number, now: number) {
      const key = suppressionKey(target.projectId, target.respondentHash);
      for (let lostRaces = 0; lostRaces < MOST_LOST_RACES; ) {
        const held = await readTidied(key, now);
        const from = held?.foldedUpTo ?? FIRST_ISSUED;
        if (from >= before) return;
        const { rows, foldedUpTo } = await readBetween(target, from, before);
        if (rows.length === 0) return;
        const folded = foldAnswers(held, rows.filter(isAnswerRow).map(readPast), now);
        const change = suppressionChange({ ...target, shards }, { ...folded, foldedUpTo });
        const written = await table.update(key, change, held === undefined ? ABSENT : isUnchanged(held));
        if (!written.done) {
          lostRaces += 1;
          continue;
        }
        await takeOut(key, held, folded);
        if (foldedUpTo >= before) return;
      }
      throw new Error('the retained suppression kept changing while the history was folded');
    },
  };
}

export type HistoryFolds = ReturnType<typeof createHistoryFolds>;

const DEADLINE_MS = 300;
const LIFETIME_MS = HOUR;

/** A respondent with too long a history gets no tokens, so no answer can trigger the fold. */
export function createFoldRequests({
  table,
  secrets,
  deadlineMs = DEADLINE_MS,
}: Pick<StoreDependencies, 'table' | 'secrets'> & { readonly deadlineMs?: number | undefined }) {
  return {
    async ask(projectId: string, respondentId: string, now: number) {
      const hash = respondentHash(await secrets.hashSecret(), projectId, respondentId);
      const minute = Math.floor(now / MINUTE);
      const set = {
        type: 'fold-request',
        fold: true,
        projectId,
        respondentHash: hash,
        [TABLE.timeToLive]: Math.ceil((minute * MINUTE + LIFETIME_MS) / SECOND),
      };
      // The same item does not change within a minute, so the stream gets only one record.
      await withDeadline(deadlineMs, () => table.update(foldRequestKey(projectId, hash, minute), { set }));
    },
  };
}
