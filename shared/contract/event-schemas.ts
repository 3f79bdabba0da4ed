/** docs/contract.md §18. */

import * as z from 'zod/mini';
import { EVENT_SOURCE, EVENT_TYPES, type EventType, NEWS } from '../domain/happening.ts';
import { once } from '../domain/memory.ts';
import { SURVEY_TYPES } from '../domain/surveys/survey.ts';
import { SURVEY_SOURCES } from '../domain/surveys/survey-change.ts';
import { shownFields } from './answer-schemas.ts';
import { described } from './described.ts';
import { timestamp } from './fields.ts';
import { difference, score } from './results-schemas.ts';

const detail = once(() =>
  z.object({
    version: z.literal(1),
    id: described(z.string(), 'The same for a repeat of the same event: consumers tell repeats by it.'),
    at: timestamp(),
    deployment: described(z.string(), 'The name of the stack: buses are shared by stages.'),
    projectId: z.string(),
  }),
);

const ofSurvey = () => ({
  surveyId: z.string(),
  surveySlug: described(
    z.nullable(z.string()),
    'Null once the survey is purged, and while settings cannot be read.',
  ),
  surveyType: z.nullable(z.enum(SURVEY_TYPES)),
});

const ofAnswer = () => ({
  ...ofSurvey(),
  answerId: described(z.string(), 'The answer’s own id, as exports have it.'),
  respondentId: z.string(),
});

export const responseDetail = once(() =>
  z.extend(detail(), {
    ...ofAnswer(),
    source: z.enum(['sdk', 'import']),
    ...shownFields('events'),
    identityKind: z.nullable(z.string()),
    rating: described(z.nullable(z.int()), 'Null once the answer is withdrawn.'),
    low: described(
      z.nullable(z.boolean()),
      'Whether the rating is a detractor’s: nps ≤ 6, csat ≤ 2, ces ≤ 3, pmf 0, thumbs 0. Null without rating or type.',
    ),
    became: described(
      z.array(z.enum(NEWS)),
      'What is new: `low`, `contact` (the wish to be contacted). Of a revision what the answer did not say before.',
    ),
    sessionId: z.nullable(z.string()),
    observationId: z.nullable(z.string()),
    traceId: z.nullable(z.string()),
    revision: described(z.int(), 'How often the answer was changed; 0 for the first.'),
    ...z.partial(z.object(shownFields('eventTexts'))).shape,
    text: z.exactOptional(
      described(z.nullable(z.string()), 'This, traits and contact only where the stage says `includeText`.'),
    ),
  }),
);

export const scoreFailedDetail = once(() =>
  z.extend(responseDetail(), { attempts: described(z.int(), 'Failed acknowledgements so far.') }),
);

export const dismissalDetail = once(() => z.extend(detail(), ofAnswer()));

export const surveyDetail = once(() => z.extend(detail(), ofSurvey()));

export const surveyChangedDetail = once(() =>
  z.extend(detail(), {
    by: described(z.string(), 'A key’s id, an e-mail address, or `operator`.'),
    source: z.enum(SURVEY_SOURCES),
    revision: described(z.int(), 'Of the surveys as one set, from this change on.'),
    surveys: z.array(
      z.object({
        surveySlug: z.string(),
        action: z.enum(['created', 'updated']),
        fields: described(z.array(z.string()), 'Names of what changed; no texts.'),
      }),
    ),
    reordered: z.boolean(),
  }),
);

export const responsesExpiredDetail = once(() =>
  z.extend(detail(), {
    ...ofSurvey(),
    day: described(z.string(), 'On which the answers were given, UTC.'),
    responses: described(z.int(), 'As results count them; their numbers stay.'),
    dismissals: z.int(),
  }),
);

export const accountPurgedDetail = detail;

export const respondentErasedDetail = once(() => z.extend(detail(), { respondentId: z.string() }));

const digestedSurvey = once(() =>
  z.object({
    surveyId: z.string(),
    surveySlug: z.string(),
    surveyType: z.enum(SURVEY_TYPES),
    question: z.string(),
    responses: described(z.int(), 'Of the week; as results count them.'),
    responsesBefore: described(z.int(), 'Of the week before.'),
    score: score(),
    difference: described(
      z.nullable(difference()),
      'This score less that of the week before, with its interval of 95 %. Null where nobody answered then, or fewer than are shown.',
    ),
    lowRatings: described(z.int(), 'Ratings that are a detractor’s.'),
  }),
);

export const digest = once(() =>
  z.object({
    projectName: described(z.string(), 'As people are shown it.'),
    week: described(z.string(), 'Of ISO 8601, in UTC: `2026-W47`.'),
    from: described(z.string(), 'Its Monday.'),
    to: described(z.string(), 'Its Sunday.'),
    surveys: described(z.array(digestedSurvey()), 'Those that were answered, most responses first.'),
    moreSurveys: described(z.int(), 'So many more were answered than an event has room for.'),
    surveysWithFew: z.exactOptional(
      described(
        z.int(),
        'So many were answered by fewer than the project’s smallest cell; they are not among `surveys`.',
      ),
    ),
    openContacts: described(z.int(), 'People who wait to be contacted, of any week; at most 1,000.'),
    moreOpenContacts: described(z.boolean(), 'Whether more than 1,000 wait.'),
  }),
);

export const surveyDigestDetail = once(() => z.extend(detail(), digest().shape));

const DETAILS: Readonly<Record<EventType, () => z.ZodMiniObject>> = {
  'Response Recorded': responseDetail,
  'Response Revised': responseDetail,
  'Response Withdrawn': responseDetail,
  'Dismissal Recorded': dismissalDetail,
  'Respondent Erased': respondentErasedDetail,
  'Survey Purged': surveyDetail,
  'Survey Shown': surveyDetail,
  'Account Purged': accountPurgedDetail,
  'Score Failed': scoreFailedDetail,
  'Survey Digest': surveyDigestDetail,
  'Survey Changed': surveyChangedDetail,
  'Responses Expired': responsesExpiredDetail,
};

export const eventSchemas = once(
  () =>
    new Map(
      EVENT_TYPES.map((type) => {
        const event = z.object({
          source: z.literal(EVENT_SOURCE),
          'detail-type': z.literal(type),
          detail: DETAILS[type](),
        });
        return [type, event] as const;
      }),
    ),
);
