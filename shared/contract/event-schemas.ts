/** docs/contract.md §18. */

import * as z from 'zod/mini';
import { EVENT_SOURCE, EVENT_TYPES, type EventType, NEWS } from '../domain/happening.ts';
import { once } from '../domain/memory.ts';
import { SURVEY_TYPES } from '../domain/surveys/survey.ts';
import { SURVEY_SOURCES } from '../domain/surveys/survey-change.ts';
import { shownFields } from './answer-schemas.ts';
import { described } from './errors.ts';
import { answerTexts, givenChoice, timestamp } from './fields.ts';
import { choiceCounts, difference, score } from './results-schemas.ts';

const detail = once(() =>
  z.object({
    version: z.literal(1),
    id: described(
      z.string(),
      'The id of the event. Use it to detect duplicates: a repeated event has the same id.',
    ),
    at: timestamp(),
    deployment: described(
      z.string(),
      'The name of the stack that sent the event. Several stages can share one bus.',
    ),
    projectId: z.string(),
  }),
);

const ofSurvey = () => ({
  surveyId: z.string(),
  surveySlug: described(
    z.nullable(z.string()),
    "`null` after the survey is purged, and while the project's settings cannot be read.",
  ),
  surveyType: z.nullable(z.enum(SURVEY_TYPES)),
});

const ofAnswer = () => ({
  ...ofSurvey(),
  answerId: described(z.string(), 'The id of the response or dismissal, as in exports.'),
  respondentId: z.string(),
});

export const responseDetail = once(() =>
  z.extend(detail(), {
    ...ofAnswer(),
    source: z.enum(['sdk', 'import']),
    ...shownFields('events'),
    identityKind: z.nullable(z.string()),
    rating: described(
      z.nullable(z.int()),
      "The rating, on the survey's scale. `null` if the answer was withdrawn.",
    ),
    choice: givenChoice(),
    low: described(
      z.nullable(z.boolean()),
      "Whether the rating is a detractor's: `nps` 0–6, `csat` 1–2, `ces` 1–3, `pmf` 0, `thumbs` 0, or a choice with `low`. `null` if the rating or the survey's type is unknown.",
    ),
    became: described(
      z.array(z.enum(NEWS)),
      'The new facts in this answer: `low` for a low rating, `contact` for a contact request. A revision lists only those that the previous version did not have.',
    ),
    choiceLabel: z.exactOptional(
      described(
        z.string(),
        'The last label of the choice. Present only for surveys of type `choice`, until the answer is withdrawn.',
      ),
    ),
    sessionId: z.nullable(z.string()),
    observationId: z.nullable(z.string()),
    traceId: z.nullable(z.string()),
    revision: described(z.int(), 'The number of times that the answer was changed. 0 for a new answer.'),
    ...z.partial(z.object(shownFields('eventTexts'))).shape,
    answerTexts: z.optional(z.nullable(answerTexts())),
    text: z.exactOptional(
      described(
        z.nullable(z.string()),
        'The text that the person wrote; `null` if there is none. Present, like `traits` and `contact`, only if the stage sets `includeText`.',
      ),
    ),
  }),
);

export const scoreFailedDetail = once(() =>
  z.extend(responseDetail(), {
    attempts: described(z.int(), 'The number of failed acknowledgements so far, for all revisions.'),
  }),
);

export const dismissalDetail = once(() => z.extend(detail(), ofAnswer()));

export const surveyDetail = once(() => z.extend(detail(), ofSurvey()));

export const surveyChangedDetail = once(() =>
  z.extend(detail(), {
    by: described(
      z.string(),
      'The author of the change: the id of a key, the e-mail address or name of a signed-in person, or `operator`.',
    ),
    source: z.enum(SURVEY_SOURCES),
    revision: described(
      z.int(),
      "The revision of the project's surveys after this change. All surveys of the project share one revision.",
    ),
    surveys: z.array(
      z.object({
        surveySlug: z.string(),
        action: z.enum(['created', 'updated']),
        fields: described(z.array(z.string()), 'The names of the fields that changed, without their values.'),
      }),
    ),
    reordered: z.boolean(),
  }),
);

export const responsesExpiredDetail = once(() =>
  z.extend(detail(), {
    ...ofSurvey(),
    day: described(z.string(), 'The day on which the answers were given, in UTC.'),
    responses: described(
      z.int(),
      'The number of responses that expired, as results count them. The results keep this number.',
    ),
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
    responses: described(z.int(), 'The number of responses in the week, as results count them.'),
    responsesBefore: described(z.int(), 'The number of responses in the previous week.'),
    fewBefore: z.exactOptional(
      described(
        z.literal(true),
        'Present if the previous week has fewer responses than the smallest cell. `responsesBefore` is then 0.',
      ),
    ),
    score: described(
      z.nullable(score()),
      'The score of the week. `null` for surveys of the types `choice` and `open`.',
    ),
    distribution: z.exactOptional(
      described(choiceCounts(), 'The responses of each choice. Present only for surveys of type `choice`.'),
    ),
    difference: described(
      z.nullable(difference()),
      'The score of the week minus the score of the previous week, with a 95 % interval. `null` if nobody answered in the previous week, or fewer people than the smallest cell.',
    ),
    lowRatings: described(z.int(), 'The number of low ratings in the week.'),
  }),
);

export const digest = once(() =>
  z.object({
    projectName: described(z.string(), 'The display name of the project.'),
    week: described(z.string(), 'The ISO 8601 week in UTC, such as `2026-W47`.'),
    from: described(z.string(), 'The Monday of the week.'),
    to: described(z.string(), 'The Sunday of the week.'),
    surveys: described(
      z.array(digestedSurvey()),
      'Only surveys that were answered in the week, most responses first.',
    ),
    moreSurveys: described(
      z.int(),
      'The number of answered surveys that were left out because the event has no room for them.',
    ),
    surveysWithFew: z.exactOptional(
      described(
        z.int(),
        "The number of surveys with fewer answers than the project's smallest cell. They are not in `surveys`.",
      ),
    ),
    openContacts: described(
      z.int(),
      'The number of open contact requests, up to 1,000: from any week or, if `smallestCell` is present, from the responses that are shown of the last four weeks.',
    ),
    moreOpenContacts: described(z.boolean(), 'Whether there are more than 1,000 open contact requests.'),
    smallestCell: z.exactOptional(
      described(
        z.int(),
        'The smallest number of ratings that is shown on its own. Present only if the project hides small numbers.',
      ),
    ),
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
