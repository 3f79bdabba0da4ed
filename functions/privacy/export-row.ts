/** An answer as an export tells it (docs/contract.md §3.9). */

import type * as z from 'zod/mini';
import type {
  exportedDismissal,
  exportedResponse,
  exportedShow,
} from '../../shared/contract/privacy-schemas.ts';
import type { Answer, Dismissal, Response } from '../../shared/domain/answer.ts';
import type { Show } from '../../shared/domain/shows.ts';
import type { Survey } from '../../shared/domain/survey.ts';

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

/** Session values the client only claimed are personal data too; `linked` says which are attested. */
export function responseRow(
  response: Response,
  surveys: Surveys,
): z.output<ReturnType<typeof exportedResponse>> {
  const { attested, claimed } = response;
  return {
    ...placeOf(response, surveys),
    rating: response.rating,
    text: response.text ?? null,
    followUpRequested: response.followUpRequested ?? null,
    contact: response.contact ?? null,
    identityKind: response.identityKind ?? null,
    traits: response.traits === undefined ? null : { ...response.traits },
    sessionId: attested.sessionId ?? claimed.sessionId ?? null,
    traceId: attested.traceId ?? claimed.traceId ?? null,
    observationId: attested.observationId ?? claimed.observationId ?? null,
    taskType: response.taskType ?? null,
    linked: response.score !== undefined,
    scoreState: response.score?.state ?? null,
    source: response.source,
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
