/** Holds no personal data. Concurrent additions to sets merge. */

import * as z from 'zod/mini';
import { type AnswerTime, timeName } from '../../domain/answers/erasure.ts';
import { type LastTimes, laterOf } from '../../domain/answers/history.ts';
import { MINUTE } from '../../domain/duration.ts';
import { once } from '../../domain/memory.ts';
import type { Change } from '../table/expressions.ts';
import { type Row, readRow } from '../table/row.ts';
import { suppressionShardEntry } from '../table/schema.ts';

/**
 * Set elements. Times are rounded up to ten minutes, so nobody is asked too early.
 *
 *   survey id 8 | step 3, first bit set for a dismissal           one of both
 *   survey id 8 | step of the answer 3 | of the dismissal 3       both
 *   session mark 8 | step 3
 *
 * Survey ids that Canvass did not generate are text: `answered#dismissed#id`.
 */
export const STEP_MS = 10 * MINUTE;
const LAST_STEP = 0x7f_ff_ff;
/** The year 2129, 159 years after 1970, stands for "forever". */
export const LAST_TIME = LAST_STEP * STEP_MS;
const DISMISSED = 0x80_00_00;
const NAME_BYTES = 8;
const STEP_BYTES = 3;
const COMPOSED_ID = /^sv_[0-9a-f]{16}$/;

const toStep = (at: number): number => Math.min(Math.max(Math.ceil(at / STEP_MS), 0), LAST_STEP);

const isComposed = (surveyId: string): boolean => COMPOSED_ID.test(surveyId);
const toIdBytes = (surveyId: string): Buffer => Buffer.from(surveyId.slice(3), 'hex');
const fromIdBytes = (bytes: Uint8Array): string => `sv_${Buffer.from(bytes).toString('hex')}`;

function withSteps(name: Buffer, ...steps: readonly number[]): Buffer {
  const bytes = Buffer.alloc(NAME_BYTES + steps.length * STEP_BYTES);
  name.copy(bytes);
  for (const [index, step] of steps.entries()) {
    bytes.writeUIntBE(step, NAME_BYTES + index * STEP_BYTES, STEP_BYTES);
  }
  return bytes;
}

export function encodeAsked(
  surveyId: string,
  { answeredAt, dismissedAt }: LastTimes,
): Buffer | string | undefined {
  const answered = answeredAt === undefined ? undefined : toStep(answeredAt);
  const dismissed = dismissedAt === undefined ? undefined : toStep(dismissedAt);
  if (answered === undefined && dismissed === undefined) return undefined;
  if (!isComposed(surveyId)) return `${answered ?? ''}#${dismissed ?? ''}#${surveyId}`;
  const id = toIdBytes(surveyId);
  if (dismissed === undefined) return withSteps(id, answered ?? 0);
  return answered === undefined ? withSteps(id, dismissed | DISMISSED) : withSteps(id, answered, dismissed);
}

function readBytes(element: Uint8Array): [string, LastTimes] {
  const bytes = Buffer.from(element);
  const id = fromIdBytes(bytes.subarray(0, NAME_BYTES));
  const first = bytes.readUIntBE(NAME_BYTES, STEP_BYTES);
  if (bytes.length > NAME_BYTES + STEP_BYTES) {
    const second = bytes.readUIntBE(NAME_BYTES + STEP_BYTES, STEP_BYTES);
    return [id, { answeredAt: first * STEP_MS, dismissedAt: second * STEP_MS }];
  }
  const isDismissal = (first & DISMISSED) !== 0;
  const at = (first & LAST_STEP) * STEP_MS;
  return [id, isDismissal ? { dismissedAt: at } : { answeredAt: at }];
}

function readText(element: string): [string, LastTimes] {
  const [, answered, dismissed, id = ''] = /^(\d*)#(\d*)#(.*)$/s.exec(element) ?? [];
  const timeOf = (step: string | undefined) => (step ? Number(step) * STEP_MS : undefined);
  return [id, { answeredAt: timeOf(answered), dismissedAt: timeOf(dismissed) }];
}

const readElement = (element: Uint8Array | string): [string, LastTimes] =>
  typeof element === 'string' ? readText(element) : readBytes(element);

export function readAsked(elements: Iterable<Uint8Array | string>): Map<string, LastTimes> {
  const asked = new Map<string, LastTimes>();
  for (const element of elements) {
    const [id, times] = readElement(element);
    asked.set(id, laterOf(asked.get(id), times));
  }
  return asked;
}

const isBefore = (one: number | undefined, other: number | undefined): boolean =>
  one === undefined || (other !== undefined && one < other);

export function supersededIn(elements: readonly (Uint8Array | string)[]): (Uint8Array | string)[] {
  const last = readAsked(elements);
  return elements.filter((element) => {
    const [id, { answeredAt, dismissedAt }] = readElement(element);
    const { answeredAt: lastAnswer, dismissedAt: lastDismissal } = last.get(id) ?? {};
    return isBefore(answeredAt, lastAnswer) && isBefore(dismissedAt, lastDismissal);
  });
}

export const encodeSession = (mark: string, at: number): Buffer =>
  withSteps(Buffer.from(mark, 'hex'), toStep(at));

export function readSessions(elements: Iterable<Uint8Array>): Map<string, number> {
  const sessions = new Map<string, number>();
  for (const element of elements) {
    const bytes = Buffer.from(element);
    const mark = bytes.toString('hex', 0, NAME_BYTES);
    const at = bytes.readUIntBE(NAME_BYTES, STEP_BYTES) * STEP_MS;
    sessions.set(mark, Math.max(at, sessions.get(mark) ?? 0));
  }
  return sessions;
}

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
  /** For an erased person, surveys that are never shown again. */
  readonly surveyIds: readonly string[];
  /** Latest time (milliseconds) of `surveyIds`; undefined if the item never had times. */
  readonly untimedUpTo: number | undefined;
  readonly asked: readonly (Uint8Array | string)[];
  readonly sessions: readonly Uint8Array[];
  /** Includes at least the latest answer and the latest dismissal of everything that was folded or imported. */
  readonly times: readonly AnswerTime[];
  /** Milliseconds; includes all answers whose tokens were issued earlier. */
  readonly foldedUpTo: number | undefined;
  /** Nothing is imported for an erased person. */
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
