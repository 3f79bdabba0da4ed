/** docs/contract.md §18. */

import type { AnswerFields, SessionIds } from './answers/answer.ts';
import type { FieldsIn } from './answers/answer-fields.ts';
import { isLowRating, type Survey } from './surveys/survey.ts';
import type { SurveySetChange } from './surveys/survey-change.ts';

export const EVENT_SOURCE = 'canvass';

export const EVENT_TYPES = [
  'Response Recorded',
  'Response Revised',
  'Response Withdrawn',
  'Dismissal Recorded',
  'Survey Shown',
  'Respondent Erased',
  'Survey Purged',
  'Account Purged',
  'Score Failed',
  'Survey Digest',
  'Survey Changed',
  'Responses Expired',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface CanvassEvent {
  readonly source: typeof EVENT_SOURCE;
  readonly 'detail-type': EventType;
  readonly detail: { readonly version: 1; readonly id: string } & Readonly<Record<string, unknown>>;
  /** When the answer's retention period ends (ISO 8601 UTC). Present only while an event with text waits. */
  readonly textUntil?: string | undefined;
}

export const withoutText = (event: CanvassEvent): CanvassEvent =>
  'text' in event.detail
    ? { ...event, detail: { ...event.detail, text: null, answerTexts: null, traits: null, contact: null } }
    : event;

/** The event as receivers see it. @param now milliseconds since the epoch */
export function deliverable({ textUntil, ...event }: CanvassEvent, now: number): CanvassEvent {
  return textUntil !== undefined && now >= Date.parse(textUntil) ? withoutText(event) : event;
}

interface Happened {
  /** Derived from the facts of the event, so that retries have the same id. */
  readonly id: string;
  readonly at: string;
  readonly projectId: string;
}

export interface ResponseFacts
  extends SessionIds,
    Omit<AnswerFields<FieldsIn<'events' | 'eventTexts'>>, 'rating' | 'identityKind' | 'reasons'> {
  readonly answerId: string;
  readonly answeredAt: string;
  readonly respondentId: string;
  readonly surveyId: string;
  readonly source: 'sdk' | 'import';
  readonly rating?: number | undefined;
  readonly identityKind?: string | undefined;
  readonly reasons?: string[] | undefined;
  readonly revision: number;
  readonly before?: Pick<ResponseFacts, 'rating' | 'followUpRequested'> | undefined;
}

export type ResponseEventType = 'Response Recorded' | 'Response Revised' | 'Response Withdrawn';

export type Happening =
  | (Happened & { readonly type: ResponseEventType; readonly response: ResponseFacts })
  | (Happened & {
      readonly type: 'Score Failed';
      readonly response: ResponseFacts;
      readonly attempts: number;
    })
  | (Happened & {
      readonly type: 'Dismissal Recorded';
      readonly surveyId: string;
      readonly answerId: string;
      readonly respondentId: string;
    })
  | (Happened & { readonly type: 'Survey Shown' | 'Survey Purged'; readonly surveyId: string })
  | (Happened & { readonly type: 'Survey Changed'; readonly change: SurveySetChange })
  | (Happened & {
      readonly type: 'Responses Expired';
      readonly surveyId: string;
      readonly day: string;
      readonly responses: number;
      readonly dismissals: number;
    })
  | (Happened & { readonly type: 'Account Purged' })
  | (Happened & { readonly type: 'Respondent Erased'; readonly respondentId: string });

export const NEWS = ['low', 'contact'] as const;
export type News = (typeof NEWS)[number];

function newsIn(
  survey: Survey | undefined,
  { rating, followUpRequested }: NonNullable<ResponseFacts['before']>,
): readonly News[] {
  const low = survey !== undefined && rating !== undefined && isLowRating(survey, rating);
  return [...(low ? (['low'] as const) : []), ...(followUpRequested === true ? (['contact'] as const) : [])];
}

/** For a revision, returns only news that the answer before it did not have. */
export function newsOf(survey: Survey | undefined, response: ResponseFacts): News[] {
  const old = newsIn(survey, response.before ?? {});
  return newsIn(survey, response).filter((each) => !old.includes(each));
}
