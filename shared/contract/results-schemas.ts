/** docs/contract.md §17. */

import * as z from 'zod/mini';
import { QUESTION_KINDS } from '../domain/answers/answer.ts';
import { BUCKETS, isDay } from '../domain/days.ts';
import { once } from '../domain/memory.ts';
import { SEGMENT_SOURCES } from '../domain/surveys/segments.ts';
import { SURVEY_STATUSES, SURVEY_TYPES } from '../domain/surveys/survey.ts';
import { shownFields } from './answer-schemas.ts';
import { described } from './errors.ts';
import {
  cursor,
  exactlyOneSurvey,
  flag,
  givenChoice,
  limit,
  slug,
  surveyId,
  timestamp,
  verified,
} from './fields.ts';

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
  surveySlug: z.exactOptional(
    described(slug(), 'The slug of the survey. Send exactly one of this and `surveyId`.'),
  ),
  surveyId: z.exactOptional(surveyId()),
  from: z.exactOptional(
    day(
      `The first day of the period, in UTC. By default, the period has ${DEFAULT_SPAN_DAYS} days. It can have at most ${LONGEST_SPAN_DAYS}.`,
    ),
  ),
  to: z.exactOptional(day('The last day of the period, in UTC, inclusive. Defaults to today.')),
});

const ofSegment = (description: string) => ({
  segment: z.exactOptional(described(slug(), description)),
  value: z.exactOptional(
    described(
      slug(),
      'Limits the reply to responses with this value of the segment. Use `other` for values that are not declared, and `null` for responses without a value.',
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
          'The length of the buckets in `series`. Defaults to `day` for up to 31 days, `week` for up to 182, and `month` for longer periods.',
        ),
      ),
      ...ofSegment(
        'The name of a segment of the survey. Without `value`, the reply has a breakdown by value in `segments`.',
      ),
      compare: z.exactOptional(
        described(
          z.enum(['previous']),
          'Adds `previous`: a comparison with the preceding period of the same length. Cannot be combined with `against`.',
        ),
      ),
      against: z.exactOptional(
        described(
          slug(),
          'Another value of the segment. Adds `against`: a comparison of `value` with it. Requires `value`.',
        ),
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
        description:
          'The score, with a 95 % confidence interval. The type of the survey determines the metric. Percentages are from 0 to 100.',
      }),
    ),
);

export const difference = once(() =>
  z.object({ value: z.number(), low: z.number(), high: z.number() }).check(
    z.meta({
      id: 'ScoreDifference',
      description:
        'The score of the reply minus the score that it is compared with, with a 95 % confidence interval.',
    }),
  ),
);

const shareFields = () =>
  z.nullable(
    z.object({
      value: described(z.number(), 'The percentage, from 0 to 100.'),
      low: described(z.number(), 'The lower end of the interval.'),
      high: described(z.number(), 'The upper end of the interval.'),
    }),
  );

const share = () =>
  described(
    shareFields(),
    'The percentage of responses with this choice, with a 95 % confidence interval (Agresti–Coull). `null` if there are no responses. Present only for surveys of type `choice`.',
  );

const OF_CHOICE = 'Present only for surveys of type `choice`.';
const choiceCode = () => described(z.string(), `The code of the choice. ${OF_CHOICE}`);
const choiceLabel = () => described(z.string(), `The last label of the choice. ${OF_CHOICE}`);

export const choiceCounts = () =>
  z.array(
    z.object({
      rating: described(z.int(), 'The rating of answers with this choice.'),
      count: described(count(), 'The number of responses with this choice.'),
      code: choiceCode(),
      label: choiceLabel(),
      share: share(),
    }),
  );

const bar = () => ({
  responses: count(),
  distribution: z.array(
    z.object({
      rating: z.int(),
      count: count(),
      code: z.exactOptional(choiceCode()),
      label: z.exactOptional(choiceLabel()),
      share: z.exactOptional(share()),
    }),
  ),
  score: z.nullable(score()),
});

const compared = () => ({
  responses: count(),
  score: z.nullable(score()),
  difference: z.nullable(difference()),
  distribution: z.exactOptional(described(choiceCounts(), `The responses of each choice. ${OF_CHOICE}`)),
  differences: z.exactOptional(
    described(
      z.nullable(
        z.array(z.object({ code: z.string(), value: z.number(), low: z.number(), high: z.number() })),
      ),
      `The share of each choice in the reply minus its share here, in percentage points. The intervals contain all differences at once in at least 95 % of cases. \`null\` if either side has no responses. ${OF_CHOICE}`,
    ),
  ),
});

export const scaleAndChoices = () => ({
  scale: scale(),
  choices: z.exactOptional(
    described(
      z.array(
        z.object({
          code: z.string(),
          label: z.string(),
          low: z.exactOptional(described(z.boolean(), 'Whether the choice counts as a low rating.')),
          rating: described(z.int(), 'The rating of answers with this choice, which never changes.'),
        }),
      ),
      `The choices that the survey lists, followed by earlier ones with their last labels. ${OF_CHOICE}`,
    ),
  ),
});

const surveyOfResults = () =>
  z.object({
    id: z.string(),
    slug: z.string(),
    type: z.enum(SURVEY_TYPES),
    question: z.string(),
    ...scaleAndChoices(),
  });

export const smallestCell = () =>
  described(
    count(),
    'The smallest number of ratings that is shown on its own. Present only if the caller cannot read comments and the project hides small numbers.',
  );

const completeFromField = () =>
  described(
    z.nullable(z.string()),
    'The first day whose answers are all still stored, in UTC. Earlier answers expired, but the numbers still include them. `null` if no answers have expired.',
  );

const questionResult = once(() =>
  z
    .object({
      id: z.string(),
      kind: z.enum(QUESTION_KINDS),
      text: z.string(),
      asked: described(count(), 'The number of responses whose rating asked the question.'),
      answered: count(),
      skipped: described(count(), 'The number of people who saw the question and gave no answer.'),
      notReached: described(count(), 'The number of people who did not get to the question.'),
      choices: z.exactOptional(
        described(
          z.array(
            z.object({
              code: z.string(),
              label: z.string(),
              count: count(),
              share: described(
                shareFields(),
                'The percentage of the answers with this choice, with a 95 % confidence interval. `null` if there are no answers, or if `few` includes some of this choice.',
              ),
            }),
          ),
          'Present for the kinds `one` and `many`. The choices that the survey lists, followed by earlier ones that were given.',
        ),
      ),
      few: z.exactOptional(
        described(
          z.object({ codes: z.array(z.string()), count: count() }),
          'Choices that have too few answers to be shown one by one in some weeks, and their total in these weeks. Present only with `smallestCell`.',
        ),
      ),
      score: z.exactOptional(
        described(
          z.nullable(z.object(scoreBase())),
          'The mean, with a 95 % confidence interval (Student’s t). `null` if there are no answers. Present for the kind `scale`.',
        ),
      ),
      distribution: z.exactOptional(
        described(
          z.array(z.object({ value: z.int(), count: count() })),
          'The answers by number. Present for the kind `scale`.',
        ),
      ),
      reworded: z.exactOptional(
        described(z.string(), 'The last UTC day on which a text or a label of the question changed.'),
      ),
      withheld: z.exactOptional(
        described(
          z.literal(true),
          'Present if the numbers of some weeks are hidden, because too few people answered the question, or too few did not.',
        ),
      ),
    })
    .check(z.meta({ id: 'QuestionResult', description: 'The answers to a question after the rating.' })),
);

export const resultsReply = once(() =>
  z.object({
    survey: z.object({
      ...surveyOfResults().shape,
      trigger: z.exactOptional(
        described(z.literal('person'), 'Present only if the person opens the survey.'),
      ),
    }),
    from: z.string(),
    to: z.string(),
    smallestCell: z.exactOptional(smallestCell()),
    shownTo: z.exactOptional(
      described(
        z.string(),
        'The Sunday of the last complete week. The numbers exclude later answers. Present only with `smallestCell`.',
      ),
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
    questions: z.exactOptional(
      described(
        z.array(questionResult()),
        'The questions that the survey lists, followed by earlier ones that have answers. Absent if the survey never had questions, and with `value`.',
      ),
    ),
    series: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        ...bar(),
        dismissals: z.nullable(count()),
        shows: z.nullable(count()),
        withheld: z.exactOptional(
          described(
            z.literal(true),
            'Present if some answers of this bucket are hidden, because their days have too few ratings to be shown on their own.',
          ),
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
      ratingMin: z.exactOptional(ratingBound('The lowest rating to include.')),
      ratingMax: z.exactOptional(ratingBound('The highest rating to include.')),
      withText: z.exactOptional(
        flag(
          'Whether to list only responses with text, in the comment or in an answer to a question. Defaults to `true`.',
        ),
      ),
      ...ofSegment('The name of a segment of the survey. Requires `value`.'),
      reason: z.exactOptional(
        described(slug(), 'Limits the list to responses with this reason, by its code.'),
      ),
      choice: z.exactOptional(
        described(slug(), 'Limits the list to responses with this choice, by its code.'),
      ),
      answers: z.exactOptional(
        z.string().check(
          z.regex(/^[a-z0-9][a-z0-9-]{0,31}=[a-z0-9][a-z0-9-]{0,31}$/, 'must be such as role=dev'),
          z.meta({
            description:
              'Limits the list to responses with this answer to a question: its id and a code or number, such as `role=dev`. In a URL, `answers.role=dev` means the same.',
          }),
        ),
      ),
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
  choice: givenChoice(),
  respondentId: z.string(),
  verified: verified(),
  sessionId: z.nullable(z.string()),
  traceId: z.nullable(z.string()),
  source: z.enum(['sdk', 'import']),
  at: timestamp(),
});

const comment = once(() =>
  z.object(commentFields()).check(
    z.meta({
      id: 'Comment',
      description: 'A response with its text and its respondent. It contains personal data.',
    }),
  ),
);

export const commentsReply = once(() =>
  z.object({ comments: z.array(comment()), nextCursor: z.exactOptional(z.string()) }),
);

export type QuestionResult = z.output<ReturnType<typeof questionResult>>;

export type CommentsInput = z.output<ReturnType<typeof commentsInput>>;
export type CommentsReply = z.output<ReturnType<typeof commentsReply>>;
export type Comment = CommentsReply['comments'][number];

export const surveysInput = once(() => z.object({}));

const shownProject = () =>
  z.object({
    id: z.string(),
    name: described(z.string(), 'The name of the project that respondents see.'),
    accent: z.nullable(
      described(z.string(), 'The accent color of the project, as `#rrggbb`; `null` for the default.'),
    ),
  });

export const surveysReply = once(() =>
  z.object({
    surveys: z.array(
      z.object({
        ...surveyOfResults().shape,
        status: z.enum(SURVEY_STATUSES),
        responses: count(),
        keeps: z.nullable(
          described(
            z.string(),
            'How long answers are kept, such as `35d` or `13mo`; `null` if they do not expire.',
          ),
        ),
        completeFrom: completeFromField(),
        segments: z.array(z.string()),
        segmentSources: described(
          z.record(z.string(), z.enum(SEGMENT_SOURCES)),
          'The source of each declared segment, by name.',
        ),
        segmentValues: described(
          z.record(z.string(), z.array(z.string())),
          'The declared values of each segment, by name. You can request `other` and `null` as well.',
        ),
        reasons: described(
          z.array(z.object({ code: z.string(), label: z.string() })),
          'The reasons that the survey lists, followed by earlier ones. The label of an earlier reason is its code.',
        ),
      }),
    ),
    project: shownProject(),
  }),
);
