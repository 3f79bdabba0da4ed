/** Reading a record twice yields the same events. */

import * as z from 'zod/mini';
import { codesOf } from '../../domain/answers/answer.ts';
import { fieldsIn, pickFields } from '../../domain/answers/answer-fields.ts';
import { addedShows } from '../../domain/answers/shows.ts';
import type { Happening, ResponseFacts } from '../../domain/happening.ts';
import { once } from '../../domain/memory.ts';
import { modeOfPurge } from '../../domain/purge.ts';
import type { ShowsChange } from '../../domain/results/contribution.ts';
import { fieldAttributes, readAnswers, readReasons, readTraits, sessionIds } from '../answers/answer-item.ts';
import { readChange } from '../projects/survey-change-item.ts';
import { isAnswerRow, type Row, readRow } from '../table/row.ts';
import { respondentOfPartition } from '../table/schema.ts';

const answerRow = once(() =>
  z.object({
    id: z.string(),
    projectId: z.string(),
    surveyId: z.string(),
    respondentId: z.string(),
    at: z.string(),
  }),
);

/** Lenient towards newer releases. */
const responseRow = once(() =>
  z.extend(answerRow(), {
    source: z.enum(['sdk', 'import']),
    ...fieldAttributes(fieldsIn('events', 'eventTexts')),
    identityKind: z.optional(z.string()),
    attested: z.optional(sessionIds()),
    claimed: z.optional(sessionIds()),
    scoreState: z.optional(z.string()),
    attempts: z.optional(z.number()),
    revision: z.optional(z.number()),
    revisedAt: z.optional(z.string()),
    withdrawn: z.optional(z.literal(true)),
  }),
);

const purgeRow = once(() =>
  z.object({
    projectId: z.string(),
    surveyId: z.optional(z.string()),
    respondentHash: z.optional(z.string()),
    state: z.string(),
    attempt: z.number(),
    openedAt: z.string(),
    finishedAt: z.optional(z.string()),
  }),
);

export interface RowChange extends ShowsChange {
  readonly oldRow: Row | undefined;
  readonly newRow: Row | undefined;
  readonly at: string;
}

function readFacts(row: z.output<ReturnType<typeof responseRow>>): ResponseFacts {
  const { id: answerId, at: answeredAt, attested = {}, claimed = {}, revision = 0 } = row;
  return {
    ...pickFields(fieldsIn('events', 'eventTexts'), row),
    answerId,
    answeredAt,
    respondentId: row.respondentId,
    surveyId: row.surveyId,
    source: row.source,
    reasons: codesOf(readReasons(row.reasons, revision)),
    answers: readAnswers(row.answers, revision),
    sessionId: attested.sessionId ?? claimed.sessionId,
    observationId: attested.observationId ?? claimed.observationId,
    traceId: attested.traceId ?? claimed.traceId,
    revision,
    traits: readTraits(row.traits),
  };
}

function ofNewAnswer(row: Row): Happening {
  if (row.type === 'dismissal') {
    const { id: answerId, at, ...dismissal } = readRow(answerRow, row);
    return { type: 'Dismissal Recorded', id: `${answerId}-dismissed`, at, answerId, ...dismissal };
  }
  const response = readRow(responseRow, row);
  const { id, at, projectId } = response;
  return { type: 'Response Recorded', id: `${id}-recorded`, at, projectId, response: readFacts(response) };
}

const priorRow = once(() =>
  z.object({ rating: z.optional(z.number()), followUpRequested: z.optional(z.boolean()) }),
);

function ofChangedResponse(before: Row, after: Row, changedAt: string): Happening | undefined {
  const response = readRow(responseRow, after);
  const { id, projectId, attempts = 0, revision = 0, revisedAt: at = changedAt } = response;
  const facts = readFacts(response);
  if (revision > Number(before.revision ?? 0)) {
    if (response.withdrawn === true)
      return {
        type: 'Response Withdrawn',
        id: `${id}-withdrawn-${revision}`,
        at,
        projectId,
        response: facts,
      };
    const revised = { ...facts, before: readRow(priorRow, before) };
    return { type: 'Response Revised', id: `${id}-revised-${revision}`, at, projectId, response: revised };
  }
  if (response.scoreState !== 'failed' || attempts <= Number(before.attempts ?? 0)) return undefined;
  return {
    type: 'Score Failed',
    id: `${id}-score-failed-${revision}-${attempts}`,
    at: changedAt,
    projectId,
    response: facts,
    attempts,
  };
}

function ofShows({ newRow, at, ...change }: RowChange): Happening[] {
  const { projectId } = respondentOfPartition(String(newRow?.pk)) ?? {};
  if (projectId === undefined) return [];
  return addedShows(change.showsBefore, change.showsAfter).map(({ surveyId, id }) => ({
    type: 'Survey Shown',
    id: `${projectId}-${surveyId}-shown-${id}`,
    at,
    projectId,
    surveyId,
  }));
}

/** The purge of a person is reported as their erasure. */
function ofPurge(row: Row, before: Row | undefined): Happening | undefined {
  const { projectId, surveyId, respondentHash, state, finishedAt, ...purge } = readRow(purgeRow, row);
  if (state !== 'done' || before?.state === 'done' || finishedAt === undefined) return undefined;
  const mode = modeOfPurge({ projectId, surveyId, respondentHash });
  if (mode === 'respondent') return undefined;
  // After a restore, attempts are counted from the start again.
  const attempt = `${purge.attempt}-${Date.parse(purge.openedAt).toString(36)}`;
  const base = { at: finishedAt, projectId };
  return surveyId === undefined
    ? { ...base, type: 'Account Purged', id: `${projectId}-purged-${attempt}` }
    : { ...base, type: 'Survey Purged', id: `${projectId}-${surveyId}-purged-${attempt}`, surveyId };
}

/** A later change overwrites the slot in the log. After a restore, the same revision numbers occur again. */
function ofSurveyChange(row: Row, before: Row | undefined): Happening | undefined {
  const { projectId, ...change } = readChange(row);
  if (before?.revision === change.revision && before.at === change.at) return undefined;
  const id = `${projectId}-surveys-${change.revision}-${Date.parse(change.at).toString(36)}`;
  return { type: 'Survey Changed', id, at: change.at, projectId, change };
}

const only = (happening: Happening | undefined): readonly Happening[] =>
  happening === undefined ? [] : [happening];

export function readHappenings(change: RowChange): readonly Happening[] {
  const { oldRow, newRow, at } = change;
  if (newRow?.type === 'purge') return only(ofPurge(newRow, oldRow));
  if (newRow?.type === 'survey-change') return only(ofSurveyChange(newRow, oldRow));
  if (newRow?.type === 'shown') return ofShows(change);
  if (!isAnswerRow(newRow)) return [];
  if (oldRow === undefined) return [ofNewAnswer(newRow)];
  const isResponse = newRow.type === 'response' && oldRow.type === 'response';
  return isResponse ? only(ofChangedResponse(oldRow, newRow, at)) : [];
}
