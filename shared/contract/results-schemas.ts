/** docs/contract.md §17. */

import * as z from 'zod/mini';
import { BUCKETS, isDay } from '../domain/days.ts';
import { once } from '../domain/memory.ts';
import { SEGMENT_SOURCES } from '../domain/surveys/segments.ts';
import { SURVEY_STATUSES, SURVEY_TYPES } from '../domain/surveys/survey.ts';
import { shownFields } from './answer-schemas.ts';
import { described } from './described.ts';
import { cursor, exactlyOneSurvey, flag, limit, slug, surveyId, timestamp } from './fields.ts';

/** Counts the first and the last day. */
export const LONGEST_SPAN_DAYS = 400;
export const DEFAULT_SPAN_DAYS = 90;
/** Larger limits are reduced to the maximum. */
export const COMMENT_PAGE = { default: 50, max: 100 } as const;

export const day = (description: string) =>
  z
    .string()
    .check(
      z.refine(isDay, 'must be a day that exists, from 1970 on, such as 2026-11-20'),
      z.meta({ format: 'date', description }),
    );

const ratingBound = (description: string) =>
  z.pipe(
    z.string().check(
      z.refine((text) => /^(\d|10)$/.test(text), 'must be a whole number from 0 to 10'),
      z.meta({ type: 'integer', minimum: 0, maximum: 10, description }),
    ),
    z.transform(Number),
  );

const ofSurvey = () => ({
  surveySlug: z.exactOptional(described(slug(), 'Either this or `surveyId`.')),
  surveyId: z.exactOptional(surveyId()),
  from: z.exactOptional(
    day(
      `The first day, UTC. Defaults to ${DEFAULT_SPAN_DAYS} days up to \`to\`; at most ${LONGEST_SPAN_DAYS}.`,
    ),
  ),
  to: z.exactOptional(day('The last day, UTC, inclusive. Defaults to today.')),
});

const ofSegment = (description: string) => ({
  segment: z.exactOptional(described(slug(), description)),
  value: z.exactOptional(
    described(
      slug(),
      'A value of the segment, to read only its responses. `other` for undeclared values, `null` for no value.',
    ),
  ),
});

interface OfSegment {
  readonly segment?: string | undefined;
  readonly value?: string | undefined;
}

const valueOfSegment = () =>
  z.refine<OfSegment>(({ segment, value }) => value === undefined || segment !== undefined, {
    path: ['value'],
    error: 'must be given with `segment`',
  });

export const resultsInput = once(() =>
  z
    .object({
      ...ofSurvey(),
      by: z.exactOptional(
        described(
          z.enum(BUCKETS),
          'The buckets of `series`. The default depends on the length of the period.',
        ),
      ),
      ...ofSegment("One of the survey's segments. Without `value`, the reply has a breakdown by its values."),
      compare: z.exactOptional(
        described(
          z.enum(['previous']),
          'Compares with the preceding period of the same length, in `previous`.',
        ),
      ),
      against: z.exactOptional(
        described(slug(), 'Another value of the segment, which `value` is compared with in `against`.'),
      ),
    })
    .check(
      exactlyOneSurvey(),
      valueOfSegment(),
      z.refine(({ value, against }) => against === undefined || value !== undefined, {
        path: ['against'],
        error: 'must be given with `value`',
      }),
      z.refine(({ compare, against }) => compare === undefined || against === undefined, {
        path: ['against'],
        error: 'must not be given with `compare`',
      }),
    ),
);

const scale = () => z.object({ min: z.int(), max: z.int() });
export const count = () => z.int().check(z.gte(0));

const scoreBase = () => ({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  confidence: z.number(),
});

export const score = once(() =>
  z
    .union([
      z.object({
        metric: z.literal('nps'),
        ...scoreBase(),
        promoters: count(),
        passives: count(),
        detractors: count(),
      }),
      z.object({ metric: z.literal('csat'), ...scoreBase(), mean: z.number() }),
      z.object({ metric: z.literal('ces'), ...scoreBase(), agree: z.number() }),
      z.object({ metric: z.literal('pmf'), ...scoreBase() }),
      z.object({ metric: z.literal('thumbs'), ...scoreBase() }),
    ])
    .check(
      z.meta({
        id: 'ResultScore',
        description: "The figure of the survey's type with its interval of 95 %; percentages from 0 to 100.",
      }),
    ),
);

export const difference = once(() =>
  z.object({ value: z.number(), low: z.number(), high: z.number() }).check(
    z.meta({
      id: 'ScoreDifference',
      description: 'The score of the reply less this one, with its interval of 95 %.',
    }),
  ),
);

const bar = () => ({
  responses: count(),
  distribution: z.array(z.object({ rating: z.int(), count: count() })),
  score: z.nullable(score()),
});

const compared = () => ({
  responses: count(),
  score: z.nullable(score()),
  difference: z.nullable(difference()),
});

const surveyOfResults = () =>
  z.object({
    id: z.string(),
    slug: z.string(),
    type: z.enum(SURVEY_TYPES),
    question: z.string(),
    scale: scale(),
  });

export const smallestCell = () =>
  described(
    count(),
    'The smallest number of ratings that is shown separately. Only for callers who may not read comments.',
  );

const completeFromField = () =>
  described(
    z.nullable(z.string()),
    'Answers before this day, UTC, were deleted; their numbers stay. Null if none were deleted.',
  );

export const resultsReply = once(() =>
  z.object({
    survey: surveyOfResults(),
    from: z.string(),
    to: z.string(),
    smallestCell: z.exactOptional(smallestCell()),
    shownTo: z.exactOptional(
      described(z.string(), 'The last day of the last complete week. Numbers exclude later answers.'),
    ),
    completeFrom: completeFromField(),
    ...bar(),
    imported: z.nullable(count()),
    modelRequested: z.nullable(count()),
    dismissals: z.nullable(count()),
    shows: z.nullable(count()),
    responseRate: z.nullable(z.number()),
    comments: z.nullable(count()),
    followUpsRequested: z.nullable(count()),
    reasons: z.nullable(z.array(z.object({ code: z.string(), label: z.string(), count: count() }))),
    series: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        ...bar(),
        dismissals: z.nullable(count()),
        shows: z.nullable(count()),
        withheld: z.exactOptional(
          described(z.literal(true), 'Some of its days are only shown together with others, or not at all.'),
        ),
      }),
    ),
    segments: z.exactOptional(z.array(z.object({ value: z.nullable(z.string()), ...bar() }))),
    previous: z.exactOptional(z.object({ from: z.string(), to: z.string(), ...compared() })),
    against: z.exactOptional(z.object({ value: z.nullable(z.string()), ...compared() })),
  }),
);

export type ResultsInput = z.output<ReturnType<typeof resultsInput>>;
export type ResultsReply = z.output<ReturnType<typeof resultsReply>>;

export const commentsInput = once(() =>
  z
    .object({
      ...ofSurvey(),
      ratingMin: z.exactOptional(ratingBound('Lowest rating, included.')),
      ratingMax: z.exactOptional(ratingBound('Highest rating, included.')),
      withText: z.exactOptional(flag('Whether responses without text are left out. Defaults to true.')),
      ...ofSegment("One of the survey's segments, to which `value` belongs."),
      reason: z.exactOptional(described(slug(), 'The code of a reason, to read only responses with it.')),
      limit: z.exactOptional(limit()),
      cursor: z.exactOptional(cursor()),
    })
    .check(
      exactlyOneSurvey(),
      valueOfSegment(),
      z.refine(({ segment, value }) => segment === undefined || value !== undefined, {
        path: ['value'],
        error: 'must be given with `segment`',
      }),
      z.refine(({ ratingMin = 0, ratingMax = ratingMin }) => ratingMin <= ratingMax, {
        path: ['ratingMin'],
        error: 'must not be above ratingMax',
      }),
    ),
);

export const commentFields = () => ({
  id: z.string(),
  ...shownFields('comments'),
  respondentId: z.string(),
  verified: z.boolean(),
  sessionId: z.nullable(z.string()),
  traceId: z.nullable(z.string()),
  source: z.enum(['sdk', 'import']),
  at: timestamp(),
});

const comment = once(() =>
  z
    .object(commentFields())
    .check(z.meta({ id: 'Comment', description: 'A response with the words and the person it is from.' })),
);

export const commentsReply = once(() =>
  z.object({ comments: z.array(comment()), nextCursor: z.exactOptional(z.string()) }),
);

export type CommentsInput = z.output<ReturnType<typeof commentsInput>>;
export type CommentsReply = z.output<ReturnType<typeof commentsReply>>;
export type Comment = CommentsReply['comments'][number];

export const surveysInput = once(() => z.object({}));

const shownProject = () =>
  z.object({
    id: z.string(),
    name: described(z.string(), 'The name that people who are asked see.'),
    accent: z.nullable(described(z.string(), 'The color of the project, `#rrggbb`; null for the default.')),
  });

export const surveysReply = once(() =>
  z.object({
    surveys: z.array(
      z.object({
        ...surveyOfResults().shape,
        status: z.enum(SURVEY_STATUSES),
        responses: count(),
        keeps: z.nullable(
          described(z.string(), 'How long answers are kept, such as `35d` or `13mo`; null if forever.'),
        ),
        completeFrom: completeFromField(),
        segments: z.array(z.string()),
        segmentSources: described(
          z.record(z.string(), z.enum(SEGMENT_SOURCES)),
          'What each declared segment is made of, by name.',
        ),
        segmentValues: described(
          z.record(z.string(), z.array(z.string())),
          'The declared values of each segment. `other` and `null` can be requested as well.',
        ),
        reasons: described(
          z.array(z.object({ code: z.string(), label: z.string() })),
          'The reasons that the survey lists, followed by earlier ones, whose label is their code.',
        ),
      }),
    ),
    project: shownProject(),
  }),
);
