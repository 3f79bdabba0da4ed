/**
 * Surveys with the times of their last answer and dismissal, and sessions with the time of their last answer, encoded
 * as set elements. Times are rounded up to ten minutes, so nobody is asked too early.
 *
 *   survey id 8 | step 3, first bit set for a dismissal           one of both
 *   survey id 8 | step of the answer 3 | of the dismissal 3       both
 *   session mark 8 | step 3
 *
 * Survey ids that Canvass did not generate are text: `answered#dismissed#id`.
 */

import { type LastTimes, laterOf } from '../../domain/answers/history.ts';
import { MINUTE } from '../../domain/duration.ts';

const STEP_MS = 10 * MINUTE;
const LAST_STEP = 0x7f_ff_ff;
/** 159 years from 1970; it stands for "forever". */
export const LAST_TIME = LAST_STEP * STEP_MS;
const DISMISSED = 0x80_00_00;
const NAME_BYTES = 8;
const STEP_BYTES = 3;
const COMPOSED_ID = /^sv_[0-9a-f]{16}$/;

const toStep = (at: number): number => Math.min(Math.max(Math.ceil(at / STEP_MS), 0), LAST_STEP);

export const isComposed = (surveyId: string): boolean => COMPOSED_ID.test(surveyId);
export const toIdBytes = (surveyId: string): Buffer => Buffer.from(surveyId.slice(3), 'hex');
export const fromIdBytes = (bytes: Uint8Array): string => `sv_${Buffer.from(bytes).toString('hex')}`;

function withSteps(name: Buffer, ...steps: readonly number[]): Buffer {
  const bytes = Buffer.alloc(NAME_BYTES + steps.length * STEP_BYTES);
  name.copy(bytes);
  for (const [index, step] of steps.entries()) {
    bytes.writeUIntBE(step, NAME_BYTES + index * STEP_BYTES, STEP_BYTES);
  }
  return bytes;
}

/** @returns undefined if there is no time */
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

/** Removing these loses nothing: they hold neither the last answer nor the last dismissal of their survey. */
export function supersededIn(elements: readonly (Uint8Array | string)[]): (Uint8Array | string)[] {
  const last = readAsked(elements);
  return elements.filter((element) => {
    const [id, { answeredAt, dismissedAt }] = readElement(element);
    const { answeredAt: lastAnswer, dismissedAt: lastDismissal } = last.get(id) ?? {};
    return isBefore(answeredAt, lastAnswer) && isBefore(dismissedAt, lastDismissal);
  });
}

/** @param mark 64 bits, lower-case hex */
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
