/** docs/contract.md §3.9, §3.10. */

import * as z from 'zod/mini';
import { SCORE_STATES } from '../domain/answers/answer.ts';
import { ERASE_MODES } from '../domain/answers/erasure.ts';
import { once } from '../domain/memory.ts';
import { SURVEY_TYPES } from '../domain/surveys/survey.ts';
import { shownFields } from './answer-schemas.ts';
import { described } from './errors.ts';
import { cursor, day, givenChoice, identifier, limit, slug, timestamp, verified } from './fields.ts';

/** Larger limits are reduced to the maximum. */
export const EXPORT_PAGE = { default: 100, max: 1_000 } as const;

/** Query strings decode `+` to a space. */
const email = () =>
  identifier().check(
    z.refine((text) => !/\s/.test(text.trim()), 'must be an e-mail address; write + as %2B'),
  );

export const exportInput = once(() =>
  z
    .object({
      respondentId: z.exactOptional(identifier()),
      email: z.exactOptional(email()),
      surveySlug: z.exactOptional(slug()),
      from: z.exactOptional(described(day(), 'The first day of answers to include, in UTC.')),
      to: z.exactOptional(described(day(), 'The last day of answers to include, in UTC.')),
      limit: z.exactOptional(limit()),
      cursor: z.exactOptional(cursor()),
    })
    .check(
      z.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
        path: ['to'],
        error: 'must not be before from',
      }),
    ),
);

/** Slug and type are null once the survey has been purged. */
const surveyOfRow = () => ({
  surveyId: z.string(),
  surveySlug: z.nullable(z.string()),
  surveyType: z.nullable(z.enum(SURVEY_TYPES)),
});

export const exportedResponse = once(() =>
  z.object({
    id: z.string(),
    ...surveyOfRow(),
    ...shownFields('export'),
    rating: z.nullable(described(z.int(), '`null` if the answer was withdrawn.')),
    choice: givenChoice(),
    respondentId: z.string(),
    verified: verified(),
    sessionId: z.nullable(z.string()),
    traceId: z.nullable(z.string()),
    observationId: z.nullable(z.string()),
    linked: z.boolean(),
    scoreState: z.nullable(z.enum(SCORE_STATES)),
    source: z.enum(['sdk', 'import']),
    at: timestamp(),
    revision: described(z.int(), 'The number of times that the answer was changed.'),
    revisedAt: z.nullable(timestamp()),
    withdrawn: z.boolean(),
    handled: z.nullable(
      described(
        z.object({
          at: timestamp(),
          by: z.exactOptional(z.string()),
          note: z.nullable(z.string()),
        }),
        'How the contact request was handled; `null` if it was not.',
      ),
    ),
  }),
);

export const exportedDismissal = once(() =>
  z.object({
    id: z.string(),
    ...surveyOfRow(),
    respondentId: z.string(),
    verified: verified(),
    at: timestamp(),
  }),
);

export const exportedShow = once(() => z.object({ ...surveyOfRow(), at: timestamp() }));

export const exportReply = once(() =>
  z.object({
    projectId: z.string(),
    exportedAt: timestamp(),
    completeFrom: z.exactOptional(
      described(
        z.record(z.string(), z.string()),
        'The first day for which all answers are still stored, in UTC, by survey slug. Lists only surveys with expired answers. Absent if there are none.',
      ),
    ),
    count: z.int(),
    responses: z.array(exportedResponse()),
    dismissals: z.array(exportedDismissal()),
    shows: z.exactOptional(
      described(
        z.array(exportedShow()),
        'The impressions of the person that are still stored. Present only in the export of one person.',
      ),
    ),
    nextCursor: z.exactOptional(z.string()),
  }),
);

export const eraseInput = once(() =>
  z.object({
    respondentId: z.exactOptional(identifier()),
    email: z.exactOptional(email()),
    surveySlug: z.exactOptional(slug()),
    account: z.exactOptional(z.literal('true', 'must be true')),
  }),
);

export const eraseReply = once(() =>
  z.object({
    ok: z.literal(true),
    mode: z.enum(ERASE_MODES),
    respondentIds: z.exactOptional(z.array(z.string())),
    responsesDeleted: z.exactOptional(z.int()),
    dismissalsDeleted: z.exactOptional(z.int()),
    suppressionRetained: z.exactOptional(z.int()),
    surveySlug: z.exactOptional(z.string()),
    note: z.exactOptional(z.string()),
  }),
);
