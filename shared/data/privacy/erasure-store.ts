/**
 * Erasing a respondent. The retained suppression is written before anything is deleted, so a crash at any point is
 * repaired by repeating the call and never loses suppression.
 */

import * as z from 'zod/mini';
import { respondentHash } from '../../crypto/identity-hash.ts';
import type { HashSecret } from '../../crypto/secret-cache.ts';
import { type AnswerTime, isTokenLive, retainedTimes } from '../../domain/erasure.ts';
import { readSuppression, suppressionChange, timesRemoval, timeText } from '../answers/suppression-item.ts';
import { PRESENT } from '../table/expressions.ts';
import { inFlight } from '../table/retry.ts';
import { type Row, readRow } from '../table/row.ts';
import { respondentPartition, suppressionKey } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import type { ErasureLog } from './erasure-log.ts';
import { tombstoneItem } from './tombstone-item.ts';

export interface RespondentErasure {
  readonly responsesDeleted: number;
  readonly dismissalsDeleted: number;
  /** Surveys whose suppression this call carried over from the rows that it deleted. */
  readonly suppressionRetained: number;
}

interface ErasureOptions {
  readonly longestQuietPeriodMs: number;
  /** Notes the erasure even where nothing is stored, so that no later import brings the person back. */
  readonly isKnown?: boolean;
}

export interface ErasureStore {
  /**
   * Erases a respondent: past answers become retained suppression, and tombstones of tokens that are still live.
   * @param now milliseconds since the epoch
   * @returns undefined when the project has never seen the respondent, and `isKnown` is not set
   */
  eraseRespondent(
    respondent: { readonly projectId: string; readonly respondentId: string } & ErasureOptions,
    now: number,
  ): Promise<RespondentErasure | undefined>;
  /** The same by the hash that the log of erasures keeps. */
  eraseByHash(
    target: { readonly projectId: string; readonly respondentHash: string } & ErasureOptions,
    now: number,
  ): Promise<RespondentErasure | undefined>;
}

type Target = Parameters<ErasureStore['eraseByHash']>[0];

const answerRow = z.object({
  pk: z.string(),
  sk: z.string(),
  type: z.enum(['response', 'dismissal']),
  surveyId: z.string(),
  at: z.string(),
  tokenId: z.string(),
  tokenExpiresAt: z.number(),
});

interface StoredAnswer extends z.output<typeof answerRow> {
  readonly row: Row;
}

interface Erased {
  readonly answers: readonly StoredAnswer[];
  /** Whether the respondent was known as erased before the answers were read. */
  readonly wasErased: boolean;
}

const DELETIONS_IN_FLIGHT = 25;

const timeOf = ({ at, tokenId }: StoredAnswer): AnswerTime => ({ at: Date.parse(at), tokenId });

interface ErasureStoreParts {
  readonly table: Table;
  readonly secrets: HashSecret;
  /** Shards of each index per project. */
  readonly shards: number;
  readonly log: ErasureLog;
}

export function createErasureStore({ table, secrets, shards, log }: ErasureStoreParts): ErasureStore {
  /** Adds to the retained suppression what the answers say, and takes out the times that no rule asks about. */
  async function retain(
    { projectId, respondentHash, longestQuietPeriodMs }: Target,
    answers: readonly StoredAnswer[],
    before: { readonly times: readonly AnswerTime[]; readonly wasErased: boolean },
    now: number,
  ): Promise<void> {
    const key = suppressionKey(projectId, respondentHash);
    const times = retainedTimes([...answers.map(timeOf), ...before.times], longestQuietPeriodMs, now);
    const kept = new Set(times.map(timeText));
    const outdated = before.times.map(timeText).filter((text) => !kept.has(text));
    if (answers.length > 0 || !before.wasErased) {
      const surveyIds = answers.map(({ surveyId }) => surveyId);
      const suppressed = { surveyIds, times, erasedAt: new Date(now).toISOString() };
      await table.update(key, suppressionChange({ projectId, respondentHash, shards }, suppressed));
    }
    if (outdated.length > 0) await table.update(key, timesRemoval(outdated), PRESENT);
  }

  /** A tombstone replaces what exists and creates nothing: a purge may be deleting the same row. */
  async function remove({ pk, sk, tokenExpiresAt, row }: StoredAnswer, now: number): Promise<void> {
    if (isTokenLive(tokenExpiresAt, now)) await table.put(tombstoneItem(row, tokenExpiresAt), PRESENT);
    else await table.delete({ pk, sk });
  }

  /** Erases what is stored now; undefined when nothing is, and nothing is to be noted. */
  async function eraseStored(target: Target, now: number): Promise<Erased | undefined> {
    const { projectId, respondentHash } = target;
    const rows = await table.query({ partition: respondentPartition(projectId, respondentHash) });
    if (rows.length === 0 && target.isKnown !== true) return undefined;
    const answers = rows
      .filter(({ type }) => type === 'response' || type === 'dismissal')
      .map((row) => ({ ...readRow(answerRow, row), row }));
    const suppressions = rows.filter(({ type }) => type === 'suppression').map(readSuppression);
    const wasErased = suppressions.some(({ erasedAt }) => erasedAt !== undefined);
    if (answers.length > 0 || !wasErased) {
      await log.record({ mode: 'respondent', projectId, respondentHash }, now);
    }
    await retain(target, answers, { times: suppressions.flatMap(({ times }) => times), wasErased }, now);
    await inFlight(answers, DELETIONS_IN_FLIGHT, (answer) => remove(answer, now));
    return { answers, wasErased };
  }

  async function eraseByHash(target: Target, now: number): Promise<RespondentErasure | undefined> {
    const erased = await eraseStored(target, now);
    if (erased === undefined) return undefined;
    // An import looks at the retained suppression alone: what it stored between the read and that is found now.
    const late = erased.wasErased ? undefined : await eraseStored({ ...target, isKnown: false }, now);
    const answers = [...erased.answers, ...(late?.answers ?? [])];
    return {
      responsesDeleted: answers.filter(({ type }) => type === 'response').length,
      dismissalsDeleted: answers.filter(({ type }) => type === 'dismissal').length,
      suppressionRetained: new Set(answers.map(({ surveyId }) => surveyId)).size,
    };
  }

  return {
    eraseByHash,
    async eraseRespondent({ respondentId, ...target }, now) {
      const hash = respondentHash(await secrets.hashSecret(), target.projectId, respondentId);
      return eraseByHash({ ...target, respondentHash: hash }, now);
    },
  };
}
