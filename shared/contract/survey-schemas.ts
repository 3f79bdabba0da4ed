/** docs/contract.md §6. */

import * as z from 'zod/mini';
import { once } from '../domain/memory.ts';
import { EVENT_NAME, isAfter, MOST_PAGES, MOST_TIMES, pageProblem } from '../domain/surveys/conditions.ts';
import { MOST_REASONS } from '../domain/surveys/reasons.ts';
import {
  CORNERS,
  PRESENTATIONS,
  SURVEY_TYPES,
  TARGETING_OPERATORS,
  TRIGGERS,
} from '../domain/surveys/survey.ts';
import { described } from './described.ts';

export const endLabels = () => z.object({ low: z.string(), high: z.string() });
export const scalar = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const targetingRule = once(() =>
  z.object({
    trait: z.string(),
    op: z.enum(TARGETING_OPERATORS),
    value: z.exactOptional(z.union([scalar(), z.array(scalar())])),
  }),
);

export const thanksLink = () => z.object({ label: z.string(), url: z.string() });
export const thanks = () => z.object({ text: z.string(), link: z.exactOptional(thanksLink()) });
export const words = () =>
  z.object({
    send: z.exactOptional(z.string()),
    close: z.exactOptional(z.string()),
    contact: z.exactOptional(z.string()),
    contactAddress: z.exactOptional(z.string()),
    values: z.exactOptional(z.array(z.string())),
  });

const LABEL_CHARACTERS = 60;
const REASON_CODE = /^[a-z0-9][a-z0-9-]{0,31}$/;

const reasonLabel = () =>
  z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(LABEL_CHARACTERS, `must be at most ${LABEL_CHARACTERS} characters`),
    );

export const reason = () =>
  z.object({
    code: z.string().check(
      z.regex(REASON_CODE, `must match ${REASON_CODE.source}`),
      z.refine((code) => !(code in {}), 'must be another name, because this one is reserved'),
    ),
    label: reasonLabel(),
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
      'The name of the event in the page.',
    ),
    after: z.exactOptional(
      described(
        z.string(AFTER).check(z.refine(isAfter, AFTER)),
        'How long after the event the survey appears, such as `2s`. Replaces `delayMs`.',
      ),
    ),
    times: z.exactOptional(
      described(
        z.int().check(z.gte(1), z.lte(MOST_TIMES)),
        'How often it must happen in a visit. Defaults to 1.',
      ),
    ),
  });

export const localisedTexts = once(() =>
  z.object({
    question: z.exactOptional(z.string()),
    followUpQuestion: z.exactOptional(z.string()),
    endLabels: z.exactOptional(endLabels()),
    reasons: z.exactOptional(described(z.record(z.string(), reasonLabel()), 'Labels by code.')),
    thanks: z.exactOptional(thanks()),
    words: z.exactOptional(words()),
  }),
);

/** Clients receive these fields with the id and the scale. Survey files contain the same fields. */
export const surveyContent = once(() => ({
  slug: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must match ^[a-z0-9][a-z0-9-]{0,63}$')),
  type: z.enum(SURVEY_TYPES),
  question: z.string().check(z.minLength(1)),
  followUpQuestion: z.exactOptional(z.string().check(z.minLength(1))),
  reasons: z.exactOptional(
    described(
      z
        .array(reason())
        .check(
          z.minLength(1, 'must have a reason'),
          z.maxLength(MOST_REASONS, `must not have more than ${MOST_REASONS} reasons`),
        ),
      'Reasons for a low rating that people can choose, asked together with the follow-up question.',
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
      'Path patterns, one of which must match: `*` matches one segment, `**` any rest.',
    ),
  ),
  on: z.exactOptional(described(surveyEvent(), 'The event in the page that an `auto` survey waits for.')),
  samplePercent: z.exactOptional(z.number().check(z.gte(0), z.lte(100))),
  targeting: z.exactOptional(z.array(targetingRule())),
  endLabels: z.exactOptional(endLabels()),
  showBadge: z.exactOptional(z.boolean()),
  priority: z.exactOptional(
    described(z.int(), 'Surveys with a higher priority are asked first. Defaults to 0.'),
  ),
  thanks: z.exactOptional(thanks()),
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
    'How often one person may be asked: by default never again (`never`), after a duration such as `90d`, once per `session`, or once per `observation`. Answers and dismissals may have a duration each.',
  );

export const surveyDefinition = once(() =>
  z.object({ id: z.string(), ...surveyContent(), scale: scale(), repeat: z.exactOptional(repeat()) }).check(
    z.meta({
      id: 'Survey',
      description: 'An active survey; targeting and sampling are applied by clients.',
    }),
  ),
);
