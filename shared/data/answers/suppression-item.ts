/**
 * How retained suppression lies in the table: survey ids and answer times of what was erased or folded, no personal
 * data. Both are sets, so that additions at the same time unite. A survey id that we composed takes its 8 bytes, any
 * other its text.
 */

import * as z from 'zod/mini';
import type { AnswerTime } from '../../domain/erasure.ts';
import type { Change } from '../table/expressions.ts';
import { type Row, readRow } from '../table/row.ts';
import { suppressionShardEntry } from '../table/schema.ts';

const SUFFIX_DIGITS = 8;
const COMPOSED_ID = /^sv_[0-9a-f]{16}$/;

const suppressionRow = z.object({
  surveys: z.optional(z.set(z.instanceof(Uint8Array))),
  surveyIds: z.optional(z.set(z.string())),
  answerTimes: z.optional(z.set(z.string())),
  foldedUpTo: z.optional(z.number()),
  erasedAt: z.optional(z.string()),
});

export interface Suppression {
  readonly surveyIds: readonly string[];
  readonly times: readonly AnswerTime[];
  /** Answers whose tokens were issued before this are all in it, milliseconds; undefined when nothing was folded. */
  readonly foldedUpTo: number | undefined;
  /** ISO 8601 UTC, once the respondent was erased: from then on nothing is imported for this person. */
  readonly erasedAt: string | undefined;
}

/** An answer time as an element of the set `answerTimes`; the token's end keeps two of one millisecond apart. */
export function timeText({ at, tokenId }: AnswerTime): string {
  return `${at}#${tokenId.slice(-SUFFIX_DIGITS)}`;
}

function readTime(text: string): AnswerTime {
  const [at = '', tokenId = ''] = text.split('#');
  return { at: Number(at), tokenId };
}

export function readSuppression(row: Row): Suppression {
  const {
    surveys = [],
    surveyIds = [],
    answerTimes = [],
    foldedUpTo,
    erasedAt,
  } = readRow(suppressionRow, row);
  const composed = [...surveys].map((bytes) => `sv_${Buffer.from(bytes).toString('hex')}`);
  return {
    surveyIds: [...composed, ...surveyIds],
    times: [...answerTimes].map(readTime),
    foldedUpTo,
    erasedAt,
  };
}

interface Suppressed {
  readonly surveyIds: readonly string[];
  readonly times: readonly AnswerTime[];
  readonly erasedAt?: string;
  readonly foldedUpTo?: number;
}

interface SuppressionPlace {
  readonly projectId: string;
  readonly respondentHash: string;
  readonly shards: number;
}

/** Adds to a respondent's retained suppression, and makes it where there is none. */
export function suppressionChange(
  { projectId, respondentHash, shards }: SuppressionPlace,
  { surveyIds, times, ...set }: Suppressed,
): Change {
  const composed = surveyIds.filter((id) => COMPOSED_ID.test(id));
  const sets: Record<string, ReadonlySet<unknown>> = {
    surveys: new Set(new Map(composed.map((id) => [id, Buffer.from(id.slice(3), 'hex')])).values()),
    surveyIds: new Set(surveyIds.filter((id) => !COMPOSED_ID.test(id))),
    answerTimes: new Set(times.map(timeText)),
  };
  const entry = suppressionShardEntry(projectId, shards, respondentHash);
  return {
    set: { type: 'suppression', ...entry, ...set },
    // DynamoDB knows no empty set.
    add: Object.fromEntries(Object.entries(sets).filter(([, elements]) => elements.size > 0)),
  };
}

/** Takes answer times out of a respondent's retained suppression. */
export const timesRemoval = (texts: readonly string[]): Change => ({ take: { answerTimes: new Set(texts) } });
