import * as z from 'zod/mini';
import {
  type Answer,
  type AnswerFields,
  type Dismissal,
  type GivenAnswer,
  type GivenReason,
  IDENTITY_KINDS,
  QUESTION_KINDS,
  type Response,
  SCORE_STATES,
  type Score,
  type Traits,
  type Withdrawn,
} from '../../domain/answers/answer.ts';
import {
  ANSWER_FIELDS,
  FIELD_NAMES,
  type FieldName,
  fieldsIn,
  type KindOf,
} from '../../domain/answers/answer-fields.ts';
import { once } from '../../domain/memory.ts';
import type { CountedAnswer } from '../../domain/results/contribution.ts';
import { queueOf } from '../../domain/scoring.ts';
import type { Condition } from '../table/expressions.ts';
import { isAnswerRow, probeAttributes, type Row, readRow } from '../table/row.ts';
import {
  answerKey,
  contactShardEntry,
  FIRST_ISSUED,
  issueTimeOfAnswer,
  projectShardEntry,
  scoreShardEntry,
  shardOf,
} from '../table/schema.ts';

export const isRevision = (revision: number): Condition =>
  revision === 0
    ? { text: 'attribute_not_exists(#revision)' }
    : { text: '#revision = :revision', values: { revision } };

export const HAS_SCORE: Condition = { text: 'attribute_exists(#scoreState)' };

/** Matches the domain's `isTried`. */
export const TRIED: Condition = {
  text: 'attribute_exists(#triedAt) OR #attempts > :none OR #scoreState <> :pending',
  values: { none: 0, pending: 'pending' },
};

export const UNTRIED: Condition = { text: `NOT (${TRIED.text})`, values: TRIED.values };

/** Older releases did not note pushes. Their delivered scores have only a state. */
export const REMEMBERS: Condition = {
  text: 'attribute_exists(#triedAt) OR #scoreState = :pending OR #attempts > :none',
  values: { pending: 'pending', none: 0 },
};

export const FORGETS: Condition = { text: `NOT (${REMEMBERS.text})`, values: REMEMBERS.values };

export const sessionIds = once(() =>
  z.object({
    sessionId: z.optional(z.string()),
    observationId: z.optional(z.string()),
    traceId: z.optional(z.string()),
  }),
);

const baseRow = once(() =>
  z.object({
    id: z.string(),
    tokenId: z.string(),
    projectId: z.string(),
    surveyId: z.string(),
    respondentId: z.string(),
    at: z.string(),
    writeId: z.string(),
    tokenExpiresAt: z.number(),
    verified: z.optional(z.literal(true)),
  }),
);

const scoreRow = once(() =>
  z.object({
    scoreState: z.optional(z.enum(SCORE_STATES)),
    attempts: z.optional(z.number()),
    lastError: z.optional(z.string()),
    triedAt: z.optional(z.string()),
  }),
);

const handledRow = once(() =>
  z.object({
    at: z.string(),
    by: z.string(),
    note: z.optional(z.string()),
    revision: z.optional(z.number()),
  }),
);

/** When an older release revises a row, the value of the earlier revision stays in it. */
function ofRevision<Said extends { readonly revision?: number | undefined }>(
  said: Said | undefined,
  current: number,
): Omit<Said, 'revision'> | undefined {
  if (said === undefined) return undefined;
  const { revision = 0, ...rest } = said;
  return revision === current ? rest : undefined;
}

export const reasonsRow = once(() =>
  z.object({
    given: z.array(z.object({ code: z.string(), place: z.number() })),
    revision: z.optional(z.number()),
  }),
);

const answersRow = once(() =>
  z.object({
    given: z.array(
      z.object({
        id: z.string(),
        place: z.number(),
        kind: z.string(),
        value: z.optional(z.union([z.string(), z.number(), z.array(z.string()), z.null()])),
        codes: z.optional(z.array(z.number())),
      }),
    ),
    revision: z.optional(z.number()),
  }),
);

const answersRevision = once(() => z.object({ revision: z.optional(z.number()) }));

/** An older release may have revised or withdrawn the answer since. */
export function hasOldAnswers({ answers, revision = 0 }: Row): boolean {
  const { data } = z.safeParse(answersRevision(), answers);
  return data !== undefined && (data.revision ?? 0) !== revision;
}

export const readReasons = (
  reasons: z.output<ReturnType<typeof reasonsRow>> | undefined,
  current = 0,
): readonly GivenReason[] | undefined => ofRevision(reasons, current)?.given;

export const readAnswers = (
  answers: z.output<ReturnType<typeof answersRow>> | undefined,
  current = 0,
): readonly GivenAnswer[] | undefined =>
  // A newer release may have other kinds.
  ofRevision(answers, current)?.given.flatMap((answer) => {
    const kind = QUESTION_KINDS.find((each) => each === answer.kind);
    return kind === undefined ? [] : [{ ...answer, kind }];
  });

const attributes = once(() => ({
  rating: z.optional(z.number()),
  text: z.optional(z.string()),
  flag: z.optional(z.boolean()),
  reasons: z.optional(reasonsRow()),
  answers: z.optional(answersRow()),
  // JSON text, because DynamoDB's numbers are narrower than JSON's and its map keys cannot be empty.
  traits: z.optional(z.string()),
  identityKind: z.optional(z.enum(IDENTITY_KINDS)),
  labels: z.optional(z.record(z.string(), z.string())),
}));

type Attributes = ReturnType<typeof attributes>;

export function fieldAttributes<Name extends FieldName>(
  names: readonly Name[],
): { [Each in Name]: Attributes[KindOf<Each>] };
export function fieldAttributes(names: readonly FieldName[]): object {
  return Object.fromEntries(names.map((name) => [name, attributes()[ANSWER_FIELDS[name].value]]));
}

const withdrawnRow = once(() =>
  z.extend(baseRow(), {
    source: z.enum(['sdk', 'import']),
    ...fieldAttributes(fieldsIn('kept')),
    attested: sessionIds(),
    claimed: sessionIds(),
    revision: z.optional(z.number()),
    revisedAt: z.optional(z.string()),
  }),
);

const responseRow = once(() =>
  z.extend(withdrawnRow(), {
    ...fieldAttributes(fieldsIn('removed')),
    rating: z.number(),
    handled: z.optional(handledRow()),
  }),
);

export function writeFields(
  names: readonly FieldName[],
  { reasons, answers, traits, ...fields }: Readonly<Partial<AnswerFields<FieldName>>>,
  revision?: number,
): Row {
  const written: Row = {
    ...fields,
    reasons: reasons === undefined ? undefined : { given: reasons, revision },
    answers: answers === undefined ? undefined : { given: answers, revision },
    traits: traits === undefined ? undefined : JSON.stringify(traits),
  };
  return Object.fromEntries(names.map((name) => [name, written[name]]));
}

function responseAttributes(response: Response, shard: number): Row {
  const { projectId, score } = response;
  const queue = queueOf(response);
  return {
    source: response.source,
    ...writeFields(FIELD_NAMES, response),
    attested: response.attested,
    claimed: response.claimed,
    scoreState: score?.state,
    attempts: score?.attempts,
    lastError: score?.lastError,
    ...(queue !== undefined && scoreShardEntry(projectId, queue, shard, response)),
    ...(response.followUpRequested === true && contactShardEntry(projectId, 'open', shard, response)),
  };
}

export function answerItem(answer: Exclude<Answer, Withdrawn>, respondentHash: string, shards: number): Row {
  const shard = shardOf(answer.tokenId, shards);
  return {
    ...answerKey(answer.projectId, respondentHash, answer.tokenId),
    ...projectShardEntry(answer.projectId, shard, answer),
    type: answer.kind,
    kind: answer.kind,
    id: answer.id,
    tokenId: answer.tokenId,
    projectId: answer.projectId,
    surveyId: answer.surveyId,
    respondentId: answer.respondentId,
    at: answer.at,
    writeId: answer.writeId,
    tokenExpiresAt: answer.tokenExpiresAt,
    verified: answer.verified,
    fold: answer.fold,
    sessionMark: answer.sessionMark,
    ...(answer.rowExpiresAt !== undefined && probeAttributes(answer.rowExpiresAt)),
    ...(answer.kind === 'response' && responseAttributes(answer, shard)),
  };
}

/** @throws Error without quoting the text */
export function readTraits(json: string | undefined): Traits | undefined {
  if (json === undefined) return undefined;
  try {
    const traits: Traits = JSON.parse(json);
    return traits;
  } catch {
    throw new Error('the traits of a row are not valid JSON');
  }
}

export function readScore(row: Row): Score | undefined {
  const { scoreState, attempts = 0, lastError, triedAt } = readRow(scoreRow, row);
  return scoreState === undefined ? undefined : { state: scoreState, attempts, lastError, triedAt };
}

export function readResponse(row: Row): Response | Withdrawn {
  const score = readScore(row);
  if (row.withdrawn === true) return { ...readRow(withdrawnRow, row), kind: 'withdrawn', score };
  const { traits, handled, reasons, answers, ...response } = readRow(responseRow, row);
  return {
    ...response,
    kind: 'response',
    traits: readTraits(traits),
    score,
    handled: ofRevision(handled, response.revision ?? 0),
    reasons: readReasons(reasons, response.revision),
    answers: readAnswers(answers, response.revision),
  };
}

const readDismissal = (row: Row): Dismissal => ({ ...readRow(baseRow, row), kind: 'dismissal' });

export function readAnswer(row: Row): Answer | undefined {
  if (row.type === 'response') return readResponse(row);
  return row.type === 'dismissal' ? readDismissal(row) : undefined;
}

interface Place {
  readonly sk: string;
  readonly source?: string | undefined;
  readonly beside?: boolean | undefined;
}

/** Of an observation, or to a survey that the person opens. */
export const hasSharedTokenId = ({ sk, source }: Place): boolean =>
  issueTimeOfAnswer(sk) < FIRST_ISSUED && source !== 'import';

export const isBesideHistory = (place: Place): boolean => place.beside === true || hasSharedTokenId(place);

const deletableRow = once(() =>
  z.object({
    pk: z.string(),
    sk: z.string(),
    type: z.enum(['response', 'dismissal']),
    source: z.optional(z.string()),
    beside: z.optional(z.boolean()),
    surveyId: z.string(),
    at: z.string(),
    tokenExpiresAt: z.number(),
  }),
);

export interface DeletableAnswer extends z.output<ReturnType<typeof deletableRow>> {
  readonly row: Row;
}

export const deletableIn = (rows: readonly (Row | undefined)[]): DeletableAnswer[] =>
  rows.filter(isAnswerRow).map((row) => ({ ...readRow(deletableRow, row), row }));

const countedRow = once(() =>
  z.object({
    projectId: z.string(),
    surveyId: z.string(),
    at: z.string(),
    generation: z.optional(z.number()),
  }),
);

/** Lenient towards newer releases. */
const countedResponseRow = once(() =>
  z.extend(countedRow(), {
    source: z.enum(['sdk', 'import']),
    storedAt: z.optional(z.string()),
    ...fieldAttributes(fieldsIn('counted')),
    rating: z.number(),
    identityKind: z.optional(z.string()),
    revision: z.optional(z.number()),
  }),
);

/** A recount writes only if none of these has changed. */
export const COUNTED_ATTRIBUTES = [
  'type',
  'at',
  'generation',
  'source',
  'storedAt',
  'revision',
  'withdrawn',
  ...fieldsIn('counted'),
] as const;

export function readCounted(row: Row): CountedAnswer | undefined {
  if (row.type === 'dismissal') {
    const dismissal = readRow(countedRow, row);
    return { ...dismissal, storedAt: dismissal.at, kind: 'dismissal' };
  }
  if (row.type !== 'response') return undefined;
  if (row.withdrawn === true) {
    const withdrawn = readRow(countedRow, row);
    return { ...withdrawn, storedAt: withdrawn.at, kind: 'withdrawn' };
  }
  const { traits, storedAt = '', reasons, answers, revision, ...response } = readRow(countedResponseRow, row);
  const stored = response.source === 'import' ? storedAt : response.at;
  return {
    ...response,
    kind: 'response',
    storedAt: stored,
    traits: readTraits(traits),
    reasons: readReasons(reasons, revision),
    answers: readAnswers(answers, revision),
  };
}
