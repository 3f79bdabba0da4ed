/** See docs/contract.md §3.9. */

import type * as z from 'zod/mini';
import type {
  exportedDismissal,
  exportedResponse,
  exportedShow,
} from '../../shared/contract/privacy-schemas.ts';
import {
  type Answer,
  type Dismissal,
  type Response,
  sessionOf,
  tellAnswer,
  type Withdrawn,
} from '../../shared/domain/answers/answer.ts';
import type { Show } from '../../shared/domain/answers/shows.ts';
import { queueOf } from '../../shared/domain/scoring.ts';
import { choiceOf, isScored, type Survey } from '../../shared/domain/surveys/survey.ts';

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

/** Null for a withdrawn answer whose score was never pushed. */
function stateOf(response: Response | Withdrawn) {
  const { kind, score } = response;
  if (kind === 'withdrawn' && score?.state === 'pending' && queueOf(response) === undefined) return null;
  return score?.state ?? null;
}

function handledOf(response: Response | Withdrawn, isOfPerson: boolean) {
  if (response.kind === 'withdrawn' || response.handled === undefined) return null;
  const { at, by, note = null } = response.handled;
  return isOfPerson ? { at, note } : { at, by, note };
}

/** Claimed session values are personal data too. */
export function responseRow(
  response: Response | Withdrawn,
  surveys: Surveys,
  isOfPerson = false,
): z.output<ReturnType<typeof exportedResponse>> {
  const { identityKind, taskType, labels, channel, ...words } = tellAnswer('export', response);
  const survey = surveys.get(response.surveyId);
  // Releases without the type `open` gave its answers a score.
  const hasScore = response.score !== undefined && (survey === undefined || isScored(survey.content.type));
  return {
    ...placeOf(response, surveys),
    ...words,
    choice: choiceOf(survey, words.rating ?? undefined)?.code ?? null,
    identityKind,
    ...sessionOf(response),
    taskType,
    labels,
    channel,
    linked: hasScore,
    scoreState: hasScore ? stateOf(response) : null,
    source: response.source,
    revision: response.revision ?? 0,
    revisedAt: response.revisedAt ?? null,
    withdrawn: response.kind === 'withdrawn',
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
