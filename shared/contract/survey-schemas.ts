/** docs/contract.md §6. */

import * as z from 'zod/mini';
import { QUESTION_KINDS } from '../domain/answers/answer.ts';
import { once } from '../domain/memory.ts';
import { MOST_CHOICES } from '../domain/surveys/choices.ts';
import { EVENT_NAME, isAfter, MOST_PAGES, MOST_TIMES, pageProblem } from '../domain/surveys/conditions.ts';
import { MOST_QUESTIONS } from '../domain/surveys/questions.ts';
import { MOST_REASONS } from '../domain/surveys/reasons.ts';
import {
  CODE,
  CORNERS,
  PRESENTATIONS,
  SURVEY_TYPES,
  TARGETING_OPERATORS,
  TRIGGERS,
} from '../domain/surveys/survey.ts';
import { described } from './errors.ts';

/** A folded or literal block of YAML ends with a line break. */
const text = () => z.string().check(z.trim());

export const endLabels = () => z.object({ low: text(), high: text() });
export const scalar = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const targetingRule = once(() =>
  z.object({
    trait: z.string(),
    op: z.enum(TARGETING_OPERATORS),
    value: z.exactOptional(z.union([scalar(), z.array(scalar())])),
  }),
);

export const thanksLink = () => z.object({ label: text(), url: z.string() });
export const thanks = () => z.object({ text: text(), link: z.exactOptional(thanksLink()) });

const ratings = () =>
  described(
    z.array(z.int()).check(z.minLength(1, 'must have a rating')),
    'The ratings to which the text applies.',
  );
export const followUp = () => z.object({ ratings: ratings(), question: text().check(z.minLength(1)) });
/** The last entry of a list may apply to all other ratings. */
export const ratingThanks = () => z.object({ ratings: z.exactOptional(ratings()), ...thanks().shape });
export const followUps = (one: ReturnType<typeof followUp> = followUp()) =>
  described(
    z.array(one).check(z.minLength(1, 'must have a follow-up question')),
    'Follow-up questions for certain ratings. The first entry with the rating replaces `followUpQuestion`. Sent only to clients whose `types` names `by-rating`.',
  );
export const anyThanks = (plain = thanks(), rated = ratingThanks()) =>
  described(
    z.union([plain, z.array(rated).check(z.minLength(1, 'must have an entry'))], 'must be a map or a list'),
    "The text and link that people see after they answer, or a list of them by rating, whose first entry with the rating applies. Defaults to the widget's own text. Clients receive a list only if their `types` names `by-rating`.",
  );
export const words = () =>
  z.object({
    send: z.exactOptional(text()),
    close: z.exactOptional(text()),
    contact: z.exactOptional(text()),
    contactAddress: z.exactOptional(text()),
    values: z.exactOptional(z.array(text())),
  });

const LABEL_CHARACTERS = 60;

const label = () =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(LABEL_CHARACTERS, `must be at most ${LABEL_CHARACTERS} characters`),
    );

const code = () =>
  z.string().check(
    z.regex(CODE, `must match ${CODE.source}`),
    z.refine((code) => !(code in {}), 'must be another name, because this one is reserved'),
  );

export const reason = () =>
  z.object({
    code: code(),
    label: label(),
  });

export const choice = () =>
  z.object({
    ...reason().shape,
    low: z.exactOptional(described(z.boolean(), 'Whether the choice counts as a low rating.')),
    words: z.exactOptional(described(z.boolean(), 'Whether the choice asks for a comment.')),
  });
const someChoices = <One extends ReturnType<typeof reason>>(one: One) =>
  z
    .array(one)
    .check(
      z.minLength(2, 'must have at least 2 choices'),
      z.maxLength(MOST_CHOICES, `must not have more than ${MOST_CHOICES} choices`),
    );
export const choices = (one: ReturnType<typeof choice> = choice()) =>
  described(someChoices(one), 'The choices of a survey of type `choice`.');

const QUESTION_CHARACTERS = 200;
const questionText = () =>
  text().check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(QUESTION_CHARACTERS, `must be at most ${QUESTION_CHARACTERS} characters`),
  );
const ofScale = () => z.int().check(z.gte(0), z.lte(10));

export const question = (one: ReturnType<typeof reason> = reason(), ends = endLabels()) =>
  z.object({
    id: code(),
    kind: described(
      z.enum(QUESTION_KINDS),
      '`one` or `many` of the choices, a number of a `scale`, or `text`.',
    ),
    text: questionText(),
    choices: z.exactOptional(described(someChoices(one), 'The choices of the kinds `one` and `many`.')),
    min: z.exactOptional(described(ofScale(), 'The lowest number of a `scale`.')),
    max: z.exactOptional(described(ofScale(), 'The highest number of a `scale`.')),
    endLabels: z.exactOptional(ends),
    ratings: z.exactOptional(
      described(
        z.array(z.int()).check(z.minLength(1, 'must have a rating')),
        'The ratings that ask the question. If absent, all do.',
      ),
    ),
  });
export const questions = (one: ReturnType<typeof question> = question()) =>
  described(
    z
      .array(one)
      .check(
        z.minLength(1, 'must have a question'),
        z.maxLength(MOST_QUESTIONS, `must not have more than ${MOST_QUESTIONS} questions`),
      ),
    'Questions that clients ask after the rating, in this order. None must be answered.',
  );
export const questionTexts = () =>
  z.object({
    text: z.exactOptional(questionText()),
    choices: z.exactOptional(z.record(z.string(), label())),
    endLabels: z.exactOptional(endLabels()),
  });

const page = () =>
  z.string().check(
    z.check(({ value, issues }) => {
      const message = pageProblem(value);
      if (message !== undefined) issues.push({ code: 'custom', message, input: value });
    }),
  );

const AFTER = 'must be a duration of 1s to 1d, such as 2s';

export const surveyEvent = () =>
  z.object({
    event: described(
      z.string().check(z.regex(EVENT_NAME, `must match ${EVENT_NAME.source}`)),
      'The name of the event, as the page reports it.',
    ),
    after: z.exactOptional(
      described(
        z.string(AFTER).check(z.refine(isAfter, AFTER)),
        'The time between the event and the survey, such as `2s`, from `1s` to `1d`. Replaces `delayMs`.',
      ),
    ),
    times: z.exactOptional(
      described(
        z.int().check(z.gte(1), z.lte(MOST_TIMES)),
        'The number of times that the event must happen in a visit. Defaults to 1.',
      ),
    ),
  });

export const localisedTexts = once(() =>
  z.object({
    question: z.exactOptional(text()),
    followUpQuestion: z.exactOptional(text()),
    followUps: z.exactOptional(followUps()),
    endLabels: z.exactOptional(endLabels()),
    reasons: z.exactOptional(described(z.record(z.string(), label()), 'The labels of the reasons, by code.')),
    choices: z.exactOptional(described(z.record(z.string(), label()), 'The labels of the choices, by code.')),
    questions: z.exactOptional(
      described(z.record(z.string(), questionTexts()), 'The texts of the questions, by id.'),
    ),
    thanks: z.exactOptional(anyThanks()),
    words: z.exactOptional(words()),
  }),
);

/** Clients receive these fields with the id and the scale. Survey files contain the same fields. */
export const surveyContent = once(() => ({
  slug: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must match ^[a-z0-9][a-z0-9-]{0,63}$')),
  type: z.enum(SURVEY_TYPES),
  question: text().check(z.minLength(1)),
  followUpQuestion: z.exactOptional(text().check(z.minLength(1))),
  followUps: z.exactOptional(followUps()),
  reasons: z.exactOptional(
    described(
      z
        .array(reason())
        .check(
          z.minLength(1, 'must have a reason'),
          z.maxLength(MOST_REASONS, `must not have more than ${MOST_REASONS} reasons`),
        ),
      'The reasons for a low rating that people can choose. They are shown with the follow-up question.',
    ),
  ),
  choices: z.exactOptional(choices()),
  questions: z.exactOptional(questions()),
  shuffle: z.exactOptional(
    described(
      z.boolean(),
      'Whether each person sees the choices in another order. Choices with `words` are last.',
    ),
  ),
  presentation: z.enum(PRESENTATIONS),
  corner: z.exactOptional(z.enum(CORNERS)),
  trigger: z.enum(TRIGGERS),
  delayMs: z.exactOptional(z.int().check(z.gte(0))),
  pages: z.exactOptional(
    described(
      z
        .array(page())
        .check(
          z.minLength(1, 'must have a page'),
          z.maxLength(MOST_PAGES, `must not have more than ${MOST_PAGES} pages`),
        ),
      'The pages on which the survey can be shown, as path patterns. At least one must match. `*` matches one segment, and `**` at the end matches any rest.',
    ),
  ),
  on: z.exactOptional(described(surveyEvent(), 'The event on the page that an `auto` survey waits for.')),
  samplePercent: z.exactOptional(z.number().check(z.gte(0), z.lte(100))),
  targeting: z.exactOptional(z.array(targetingRule())),
  endLabels: z.exactOptional(endLabels()),
  showBadge: z.exactOptional(z.boolean()),
  priority: z.exactOptional(
    described(
      z.int(),
      'The priority of the survey. Surveys with a higher priority are shown first. Defaults to 0.',
    ),
  ),
  thanks: z.exactOptional(anyThanks()),
  words: z.exactOptional(words()),
  locales: z.exactOptional(z.record(z.string(), localisedTexts())),
}));

export const scale = () => z.object({ min: z.int(), max: z.int() });

const repeat = () =>
  described(
    z.union([
      z.string(),
      z.object({ answered: z.exactOptional(z.string()), dismissed: z.exactOptional(z.string()) }),
    ]),
    'How often one person can be asked: `never` again (the default), again after a duration such as `90d`, once per `session`, or once per `observation`. Answers and dismissals can have different durations.',
  );

export const surveyDefinition = once(() =>
  z
    .object({
      id: z.string(),
      ...surveyContent(),
      choices: z.exactOptional(z.array(z.object({ ...choice().shape, rating: z.int() }))),
      scale: scale(),
      repeat: z.exactOptional(repeat()),
    })
    .check(
      z.meta({
        id: 'Survey',
        description: 'An active survey. Clients apply targeting and sampling.',
      }),
    ),
);
