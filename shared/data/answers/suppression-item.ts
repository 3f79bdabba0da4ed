/**
 * Holds no personal data. All attributes are sets, so concurrent additions merge. Survey ids that Canvass generated
 * take 8 bytes; others are text.
 */

import * as z from 'zod/mini';
import { type AnswerTime, timeName } from '../../domain/answers/erasure.ts';
import type { LastTimes } from '../../domain/answers/history.ts';
import { once } from '../../domain/memory.ts';
import type { Change } from '../table/expressions.ts';
import { type Row, readRow } from '../table/row.ts';
import { suppressionShardEntry } from '../table/schema.ts';
import { encodeAsked, encodeSession, fromIdBytes, isComposed, toIdBytes } from './asked-sets.ts';

export const SUPPRESSION_ATTRIBUTES = [
  'surveys',
  'surveyIds',
  'asked',
  'askedIds',
  'sessions',
  'answerTimes',
  'untimedUpTo',
  'foldedUpTo',
  'erasedAt',
] as const;

const bytesSet = () => z.optional(z.set(z.instanceof(Uint8Array)));
const textSet = () => z.optional(z.set(z.string()));

const suppressionRow = once(() =>
  z.object({
    surveys: bytesSet(),
    surveyIds: textSet(),
    asked: bytesSet(),
    askedIds: textSet(),
    sessions: bytesSet(),
    answerTimes: textSet(),
    untimedUpTo: z.optional(z.number()),
    foldedUpTo: z.optional(z.number()),
    erasedAt: z.optional(z.string()),
  } satisfies Record<(typeof SUPPRESSION_ATTRIBUTES)[number], z.ZodMiniType>),
);

export interface Suppression {
  /** Surveys without times; for an erased person, surveys that are never asked again. */
  readonly surveyIds: readonly string[];
  /** Latest time (milliseconds) of `surveyIds`; undefined if the item never had times. */
  readonly untimedUpTo: number | undefined;
  readonly asked: readonly (Uint8Array | string)[];
  readonly sessions: readonly Uint8Array[];
  /** At least the latest answer and dismissal of everything folded or imported. */
  readonly times: readonly AnswerTime[];
  /** Answers whose tokens were issued before this are all included (milliseconds). */
  readonly foldedUpTo: number | undefined;
  /** ISO 8601 UTC. Nothing is imported for an erased person. */
  readonly erasedAt: string | undefined;
}

export function timeText(time: AnswerTime): string {
  return time.kind === undefined ? timeName(time) : `${timeName(time)}#${time.kind}`;
}

function readTime(text: string): AnswerTime {
  const [at = '', tokenId = '', kind] = text.split('#');
  const isKnown = kind === 'response' || kind === 'dismissal';
  return { at: Number(at), tokenId, kind: isKnown ? kind : undefined };
}

export function readSuppression(row: Row): Suppression {
  const read = readRow(suppressionRow, row);
  return {
    surveyIds: [...[...(read.surveys ?? [])].map(fromIdBytes), ...(read.surveyIds ?? [])],
    asked: [...(read.asked ?? []), ...(read.askedIds ?? [])],
    sessions: [...(read.sessions ?? [])],
    times: [...(read.answerTimes ?? [])].map(readTime),
    untimedUpTo: read.untimedUpTo,
    foldedUpTo: read.foldedUpTo,
    erasedAt: read.erasedAt,
  };
}

interface Retained {
  readonly times: readonly AnswerTime[];
  readonly surveyIds?: readonly string[];
  readonly untimedUpTo?: number | undefined;
  readonly asked?: Iterable<readonly [string, LastTimes]>;
  readonly sessions?: Iterable<readonly [string, number]>;
  readonly erasedAt?: string;
  readonly foldedUpTo?: number;
}

interface SuppressionPlace {
  readonly projectId: string;
  readonly respondentHash: string;
  readonly shards: number;
}

type Sets = Readonly<Record<string, ReadonlySet<unknown>>>;

/** DynamoDB has no empty sets. */
const filled = (sets: Sets): Sets =>
  Object.fromEntries(Object.entries(sets).filter(([, elements]) => elements.size > 0));

const idSets = (surveyIds: readonly string[]): Sets => ({
  surveys: new Set([...new Set(surveyIds.filter(isComposed))].map(toIdBytes)),
  surveyIds: new Set(surveyIds.filter((id) => !isComposed(id))),
});

const askedSets = (elements: readonly (Uint8Array | string)[]): Sets => ({
  asked: new Set(elements.filter((element) => typeof element !== 'string')),
  askedIds: new Set(elements.filter((element) => typeof element === 'string')),
});

export function suppressionChange(
  { projectId, respondentHash, shards }: SuppressionPlace,
  { surveyIds = [], asked = [], sessions = [], times, ...set }: Retained,
): Change {
  const elements = [...asked].map(([id, last]) => encodeAsked(id, last));
  const entry = suppressionShardEntry(projectId, shards, respondentHash);
  return {
    set: { type: 'suppression', ...entry, ...set },
    add: filled({
      ...idSets(surveyIds),
      ...askedSets(elements.filter((element) => element !== undefined)),
      sessions: new Set([...sessions].map(([mark, at]) => encodeSession(mark, at))),
      answerTimes: new Set(times.map(timeText)),
    }),
  };
}

export interface Outdated {
  readonly times?: readonly string[];
  readonly surveyIds?: readonly string[];
  readonly asked?: readonly (Uint8Array | string)[];
  readonly sessions?: readonly Uint8Array[];
}

export const removal = ({ times = [], surveyIds = [], asked = [], sessions = [] }: Outdated): Change => ({
  take: filled({
    ...idSets(surveyIds),
    ...askedSets(asked),
    sessions: new Set(sessions),
    answerTimes: new Set(times),
  }),
});
