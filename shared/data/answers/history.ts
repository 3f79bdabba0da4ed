/** A respondent's history, read within bounds. */

import * as z from 'zod/mini';
import { timeName } from '../../domain/answers/erasure.ts';
import { type History, laterOf } from '../../domain/answers/history.ts';
import { once } from '../../domain/once.ts';
import { readShowTimes } from '../shows/shown-item.ts';
import { type Row, readRow } from '../table/row.ts';
import {
  answersIssuedFrom,
  FIRST_ISSUED,
  issueTimeOfAnswer,
  respondentPartition,
  tokenIdOfAnswer,
} from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { readSessions } from './asked-sets.ts';
import { lastTimes, readRetained } from './retained.ts';
import { readSuppression, SUPPRESSION_ATTRIBUTES } from './suppression-item.ts';

/** The retained suppression, the shows and the five latest answers: of usual length, some 4 KB. */
const FIRST_PAGE = 7;

/** What reading a history may cost, in capacity units of 4 KB, however many answers are stored under one id. */
const MOST_UNITS = 48;
const UNIT_BYTES = 4_096;

/** An answer with every field at its limit (docs/contract.md §9), its keys and its index entries. */
const LARGEST_ANSWER_BYTES = 29_000;

const ATTRIBUTES = ['sk', 'type', 'surveyId', 'at', 'sessionMark', 'shows', ...SUPPRESSION_ATTRIBUTES];

const answerRow = once(() =>
  z.object({
    sk: z.string(),
    type: z.enum(['response', 'dismissal']),
    surveyId: z.string(),
    at: z.string(),
    sessionMark: z.optional(z.string()),
  }),
);

const findSuppression = (rows: readonly Row[]) => {
  const row = rows.find(({ type }) => type === 'suppression');
  return row && readSuppression(row);
};

/**
 * Answers carry a survey id and a time; retained suppression carries sets of both, of what was erased and of what was
 * folded. An answer that is folded may be read as well: the same time counts once. A tombstone says nothing that the
 * retained suppression does not.
 */
function historyFrom(rows: readonly Row[]): History {
  const suppression = findSuppression(rows);
  const { surveys, erased } = readRetained(suppression);
  const sessions = readSessions(suppression?.sessions ?? []);
  const times = new Map((suppression?.times ?? []).map((time) => [timeName(time), time]));
  const unfolded: number[] = [];
  const foldedUpTo = suppression?.foldedUpTo ?? FIRST_ISSUED;
  for (const row of rows) {
    if (row.type !== 'response' && row.type !== 'dismissal') continue;
    const { sk, type: kind, surveyId, at: iso, sessionMark: mark } = readRow(answerRow, row);
    const time = { at: Date.parse(iso), tokenId: tokenIdOfAnswer(sk), kind };
    surveys.set(surveyId, laterOf(surveys.get(surveyId), lastTimes(time)));
    times.set(timeName(time), time);
    if (mark !== undefined) sessions.set(mark, Math.max(time.at, sessions.get(mark) ?? 0));
    const issuedAt = issueTimeOfAnswer(sk);
    if (issuedAt >= foldedUpTo) unfolded.push(issuedAt);
  }
  const all = [...times.values()];
  const latest = all.map(lastTimes).reduce(laterOf, {});
  const shown = rows.find(({ type }) => type === 'shown');
  const shows = shown && readShowTimes(shown);
  return { surveys, erased, sessions, latest, times: all.map(({ at }) => at), unfolded, shows };
}

/**
 * One strongly consistent query from the partition's end, where the retained suppression lies: it is the whole history
 * when the page is not full, or reaches into what is folded. Otherwise a second one, of as many older answers as fit
 * what is left of `MOST_UNITS` if each were as large as can be. A history that goes on behind them is too long. Answers
 * from before the first token, imported ones and those to an observation, are never come across.
 */
export async function readHistory(table: Table, projectId: string, respondentHash: string): Promise<History> {
  const query = {
    partition: respondentPartition(projectId, respondentHash),
    attributes: ATTRIBUTES,
    descending: true,
  };
  const first = { ...query, from: answersIssuedFrom(FIRST_ISSUED), limit: FIRST_PAGE };
  const { rows, last, units } = await table.page(first);
  if (last === undefined) return historyFrom(rows);
  const foldedUpTo = findSuppression(rows)?.foldedUpTo ?? FIRST_ISSUED;
  if (issueTimeOfAnswer(last) < foldedUpTo) return historyFrom(rows);
  const limit = Math.floor(((MOST_UNITS - units) * UNIT_BYTES) / LARGEST_ANSWER_BYTES);
  if (limit < 1) return { ...historyFrom(rows), isTooLong: true };
  const older = await table.page({ ...query, from: answersIssuedFrom(foldedUpTo), after: last, limit });
  return { ...historyFrom([...rows, ...older.rows]), isTooLong: older.last !== undefined };
}
