import * as z from 'zod/mini';
import { respondentHash } from '../../crypto/derive.ts';
import { responseId, sessionMark } from '../../crypto/ids.ts';
import type { NewAnswer } from '../../domain/answers/answer.ts';
import { timeName } from '../../domain/answers/erasure.ts';
import { type History, laterOf } from '../../domain/answers/history.ts';
import { SECOND } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import { readShowTimes } from '../shows/show-store.ts';
import { type TimeLimits, withDeadline, withoutDeadline } from '../table/deadline.ts';
import { ABSENT } from '../table/expressions.ts';
import { isAnswerRow, type Row, readRow } from '../table/row.ts';
import {
  answerKey,
  answersIssuedFrom,
  FIRST_ISSUED,
  issueTimeOfAnswer,
  type Key,
  respondentPartition,
} from '../table/schema.ts';
import type { Page, PersonDependencies, Table } from '../table/table.ts';
import { isUnavailable } from '../table/unavailable.ts';
import { answerItem } from './answer-item.ts';
import { lastTimes, readPast, readRetained } from './retained.ts';
import { readSessions, readSuppression, SUPPRESSION_ATTRIBUTES } from './suppression-item.ts';

/** The suppression, the shows and the five latest answers usually have about 4 KB. */
const FIRST_PAGE = 7;

/** Read units of 4 KB. */
const MOST_UNITS = 48;
const UNIT_BYTES = 4_096;

/** Larger rows behind the first page cost at most this. */
const MOST_UNITS_AT_WORST = 96;

const MOST_PAGES = 16;

/** An answer with every field at its limit (docs/contract.md §9), including keys and index entries. */
const LARGEST_ANSWER_BYTES = 31_000;

const ATTRIBUTES = ['sk', 'type', 'surveyId', 'at', 'sessionMark', 'shows', ...SUPPRESSION_ATTRIBUTES];

const findSuppression = (rows: readonly Row[]) => {
  const row = rows.find(({ type }) => type === 'suppression');
  return row && readSuppression(row);
};

function historyFrom(rows: readonly Row[]): History {
  const suppression = findSuppression(rows);
  const { surveys, erased } = readRetained(suppression);
  const sessions = readSessions(suppression?.sessions ?? []);
  const times = new Map((suppression?.times ?? []).map((time) => [timeName(time), time]));
  const unfolded: number[] = [];
  const foldedUpTo = suppression?.foldedUpTo ?? FIRST_ISSUED;
  for (const row of rows.filter(isAnswerRow)) {
    const { surveyId, time, sessionMark: mark } = readPast(row);
    surveys.set(surveyId, laterOf(surveys.get(surveyId), lastTimes(time)));
    times.set(timeName(time), time);
    if (mark !== undefined) sessions.set(mark, Math.max(time.at, sessions.get(mark) ?? 0));
    const issuedAt = issueTimeOfAnswer(String(row.sk));
    if (issuedAt >= foldedUpTo) unfolded.push(issuedAt);
  }
  const all = [...times.values()];
  const latest = all.map(lastTimes).reduce(laterOf, {});
  const shown = rows.find(({ type }) => type === 'shown');
  const shows = shown && readShowTimes(shown);
  return { surveys, erased, sessions, latest, times: all.map(({ at }) => at), unfolded, shows };
}

function rowsThatFit(consumed: number, { rows, units }: Page): number {
  const likely = (MOST_UNITS - consumed) / (units / rows.length);
  const atWorst = ((MOST_UNITS_AT_WORST - consumed) * UNIT_BYTES) / LARGEST_ANSWER_BYTES;
  return Math.floor(Math.min(likely, atWorst));
}

/**
 * The suppression sorts last, so the first page contains it. Skips imported answers and answers to observations. Answers
 * that are deleted between two pages are in the suppression by then, so the suppression is read again.
 */
export async function readHistory(table: Table, projectId: string, respondentHash: string): Promise<History> {
  const first = await readPages(table, projectId, respondentHash);
  return first.hasLeft ? (await readPages(table, projectId, respondentHash)).history : first.history;
}

async function readPages(
  table: Table,
  projectId: string,
  respondentHash: string,
): Promise<{
  readonly history: History;
  readonly hasLeft: boolean;
}> {
  const query = {
    partition: respondentPartition(projectId, respondentHash),
    attributes: ATTRIBUTES,
    descending: true,
  };
  let page = await table.page({ ...query, from: answersIssuedFrom(FIRST_ISSUED), limit: FIRST_PAGE });
  const rows = [...page.rows];
  const foldedUpTo = findSuppression(rows)?.foldedUpTo ?? FIRST_ISSUED;
  let { units } = page;
  const isTombstone = ({ type }: Row): boolean => type === 'tombstone';
  let hasLeft = false;
  for (let pages = 1; page.last !== undefined && issueTimeOfAnswer(page.last) >= foldedUpTo; pages += 1) {
    const limit = pages < MOST_PAGES ? rowsThatFit(units, page) : 0;
    if (limit < 1) return { history: { ...historyFrom(rows), isTooLong: true }, hasLeft };
    page = await table.page({ ...query, from: answersIssuedFrom(foldedUpTo), after: page.last, limit });
    rows.push(...page.rows);
    hasLeft ||= page.rows.some(isTombstone);
    units += page.units;
  }
  return { history: historyFrom(rows), hasLeft };
}

export const LOOK_UP_MS = 2 * SECOND;

/** A query, because functions that redeem tokens may only query and put. Never throws. */
export async function lookUp(table: Table, { pk, sk }: Key, deadlineMs: number): Promise<Row | undefined> {
  return withoutDeadline(() =>
    withDeadline(deadlineMs, () => table.page({ partition: pk, from: sk, to: sk })),
  )
    .then(({ rows: [row] }) => row)
    .catch(() => undefined);
}

export type RedeemOutcome =
  | { readonly stored: true; readonly id: string }
  | {
      readonly stored: false;
      readonly usedBy: {
        readonly id: string;
        readonly at: string;
        readonly kind: 'response' | 'dismissal';
        readonly by?: 'other-token';
      };
    };

const usedRow = once(() =>
  z.object({
    writeId: z.string(),
    id: z.string(),
    at: z.string(),
    kind: z.enum(['response', 'dismissal']),
    tokenExpiresAt: z.optional(z.number()),
  }),
);

interface AnswerStoreDependencies extends PersonDependencies, Pick<TimeLimits, 'lookUpDeadlineMs'> {
  readonly writeId: () => string;
}

export function createAnswerStore({
  table,
  secrets,
  shards,
  writeId: freshId,
  lookUpDeadlineMs = LOOK_UP_MS,
}: AnswerStoreDependencies) {
  return {
    /**
     * If the condition fails and the old item has this call's write id, the SDK repeated our own write.
     * @throws if the table does not respond; the answer is then assumed not to be stored
     */
    async redeem(answer: NewAnswer): Promise<RedeemOutcome> {
      const { projectId, tokenId } = answer;
      const secret = await secrets.hashSecret();
      const hash = respondentHash(secret, projectId, answer.respondentId);
      const id = responseId(secret, projectId, { tokenId, respondentHash: hash });
      const writeId = freshId();
      const sessionId = answer.kind === 'response' ? answer.attested.sessionId : answer.sessionId;
      const mark = sessionId === undefined ? undefined : sessionMark(secret, answer, sessionId);
      const item = answerItem({ ...answer, id, writeId, sessionMark: mark }, hash, shards);

      function readOutcome(row: Row): RedeemOutcome {
        const { writeId: usedBy, tokenExpiresAt, ...use } = readRow(usedRow, row);
        if (usedBy === writeId) return { stored: true, id };
        // Tokens of one observation, or with one number of a day, share an id.
        const isOther = tokenExpiresAt !== undefined && tokenExpiresAt !== answer.tokenExpiresAt;
        return { stored: false, usedBy: { ...use, ...(isOther && { by: 'other-token' as const }) } };
      }

      try {
        const written = await table.put(item, ABSENT);
        if (written.done) return { stored: true, id };
        if (written.found === undefined)
          throw new Error('DynamoDB refused the write without returning the row of the used token');
        return readOutcome(written.found);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        const found = await lookUp(table, answerKey(projectId, hash, tokenId), lookUpDeadlineMs);
        if (found === undefined) throw error;
        return readOutcome(found);
      }
    },

    async isUsed(
      projectId: string,
      { respondentId, tokenId }: { readonly respondentId: string; readonly tokenId: string },
    ): Promise<boolean> {
      const hash = respondentHash(await secrets.hashSecret(), projectId, respondentId);
      const { pk, sk } = answerKey(projectId, hash, tokenId);
      const { rows } = await table.page({ partition: pk, from: sk, to: sk });
      return rows.length > 0;
    },

    async history(projectId: string, respondentId: string): Promise<History> {
      const hash = respondentHash(await secrets.hashSecret(), projectId, respondentId);
      return readHistory(table, projectId, hash);
    },
  };
}

export type AnswerStore = ReturnType<typeof createAnswerStore>;
