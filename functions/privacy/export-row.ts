/** An answer as an export tells it (docs/contract.md §3.9). */

import type * as z from 'zod/mini';
import type {
  exportedDismissal,
  exportedResponse,
  exportedShow,
} from '../../shared/contract/privacy-schemas.ts';
import type { Answer, Dismissal, Response, Withdrawn } from '../../shared/domain/answers/answer.ts';
import type { Show } from '../../shared/domain/answers/shows.ts';
import { queueOf } from '../../shared/domain/scoring.ts';
import { codesOf } from '../../shared/domain/surveys/reasons.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';

type Surveys = ReadonlyMap<string, Survey>;

function nameSurvey(surveyId: string, surveys: Surveys) {
  const content = surveys.get(surveyId)?.content;
  return { surveyId, surveySlug: content?.slug ?? null, surveyType: content?.type ?? null };
}

function placeOf({ id, surveyId, respondentId, verified, at }: Answer, surveys: Surveys) {
  return {
    id,
    ...nameSurvey(surveyId, surveys),
    respondentId,
    verified: verified === true,
    at,
  };
}

const NO_WORDS = {
  rating: null,
  text: null,
  followUpRequested: null,
  contact: null,
  reasons: null,
  traits: null,
};

const wordsOf = ({ rating, text, followUpRequested, contact, reasons, traits }: Response) => ({
  rating,
  text: text ?? null,
  followUpRequested: followUpRequested ?? null,
  contact: contact ?? null,
  reasons: codesOf(reasons) ?? null,
  traits: traits === undefined ? null : { ...traits },
});

/** Null for a withdrawn answer whose score was never pushed: there is nothing to delete. */
function stateOf(response: Response | Withdrawn) {
  const { kind, score } = response;
  if (kind === 'withdrawn' && score?.state === 'pending' && queueOf(response) === undefined) return null;
  return score?.state ?? null;
}

/** A person is not told which key a colleague of somebody else holds. */
function handledOf(response: Response | Withdrawn, isOfPerson: boolean) {
  if (response.kind === 'withdrawn' || response.handled === undefined) return null;
  const { at, by, note = null } = response.handled;
  return isOfPerson ? { at, note } : { at, by, note };
}

/**
 * Session values the client only claimed are personal data too; `linked` says which are attested.
 * @param isOfPerson whether the export is that of a person
 */
export function responseRow(
  response: Response | Withdrawn,
  surveys: Surveys,
  isOfPerson = false,
): z.output<ReturnType<typeof exportedResponse>> {
  const { kind, attested, claimed } = response;
  return {
    ...placeOf(response, surveys),
    ...(kind === 'withdrawn' ? NO_WORDS : wordsOf(response)),
    identityKind: response.identityKind ?? null,
    sessionId: attested.sessionId ?? claimed.sessionId ?? null,
    traceId: attested.traceId ?? claimed.traceId ?? null,
    observationId: attested.observationId ?? claimed.observationId ?? null,
    taskType: response.taskType ?? null,
    labels: response.labels === undefined ? null : { ...response.labels },
    channel: response.channel ?? null,
    linked: response.score !== undefined,
    scoreState: stateOf(response),
    source: response.source,
    revision: response.revision ?? 0,
    revisedAt: response.revisedAt ?? null,
    withdrawn: kind === 'withdrawn',
    handled: handledOf(response, isOfPerson),
  };
}

export function dismissalRow(
  dismissal: Dismissal,
  surveys: Surveys,
): z.output<ReturnType<typeof exportedDismissal>> {
  return placeOf(dismissal, surveys);
}

export function showRow({ surveyId, at }: Show, surveys: Surveys): z.output<ReturnType<typeof exportedShow>> {
  return { ...nameSurvey(surveyId, surveys), at: new Date(at).toISOString() };
}
