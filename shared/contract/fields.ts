/** These use zod/mini, because functions bundle them. */

import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { IDENTITY_KINDS, TEXT_CHARACTERS } from '../domain/answers/answer.ts';
import {
  CHANNEL,
  fitLabels,
  fitTraits,
  LABEL_NAME,
  MOST_LABEL_BYTES,
  MOST_LABELS,
  MOST_TRAIT_BYTES,
  MOST_TRAITS,
} from '../domain/answers/metadata.ts';
import { once } from '../domain/memory.ts';
import { NONE_REASONS } from '../domain/surveys/eligibility.ts';
import { ANSWER_CHARACTERS } from '../domain/surveys/questions.ts';
import { described, NOT_WELL_FORMED } from './errors.ts';

z.config(en());

/** The limit counts UTF-8 bytes. */
const IDENTIFIER_BYTES = 256;
const TASK_TYPE_BYTES = 64;
const NOTE_CHARACTERS = 500;
const CONTACT_BYTES = 256;
const TOKEN_CHARACTERS = 1_024;
const CURSOR_CHARACTERS = 2_048;
/** Covers the scales of all survey types. The survey's own scale is checked later. */
const OUTER_RATING = { min: 0, max: 10 } as const;

const utf8Length = (text: string): number => Buffer.byteLength(text, 'utf8');

function wellFormed(maxBytes: number) {
  return z.string().check(
    z.minLength(1, 'must not be empty'),
    z.refine((text) => text.isWellFormed(), NOT_WELL_FORMED),
    z.refine((text) => utf8Length(text) <= maxBytes, `must be at most ${maxBytes} bytes of UTF-8`),
    z.meta({
      maxLength: maxBytes,
      description: `Maximum length: ${maxBytes} bytes of UTF-8. Lone surrogates are not allowed.`,
    }),
  );
}

export const identifier = () => wellFormed(IDENTIFIER_BYTES);
export const taskType = () => wellFormed(TASK_TYPE_BYTES);

export const dropped = () =>
  described(
    z.array(z.string()),
    'The paths of fields that were dropped or cut, such as `traits.orgs`. Present only if there are any.',
  );

/** Marks fields that redaction changes (docs/contract.md §9.8). */
export const redacted = () =>
  described(
    z.array(z.string()),
    'The fields, such as `text` or `answers.more`, in which e-mail addresses or numbers were replaced before they were stored. Present only if there are any.',
  );

export const verified = () =>
  described(
    z.boolean(),
    'Whether a server or a signed token identified the respondent. `false` if only the page did.',
  );

export const timestamp = () =>
  z
    .string()
    .check(
      z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be ISO 8601 UTC with milliseconds'),
      z.meta({ format: 'date-time', description: 'ISO 8601 in UTC, with milliseconds.' }),
    );

export const key = () => described(z.string(), "The project's publishable key, in the query or in the body.");
export const showToken = () =>
  described(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(TOKEN_CHARACTERS)),
    'The show-token: an opaque, single-use permission for one respondent to answer one survey.',
  );
/** The handler checks the token once it knows the project. */
export const userToken = () =>
  z.unknown().check(
    z.meta({
      type: 'string',
      description:
        'A JWT that your server signed to identify the person. Used only if the project requires identity.',
    }),
  );
export const slug = () => z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(64));
export const surveyId = () => wellFormed(IDENTIFIER_BYTES);
export const rating = () => z.int().check(z.gte(OUTER_RATING.min), z.lte(OUTER_RATING.max));
export const identityKind = () => z.enum(IDENTITY_KINDS);

/** Invalid metadata is dropped and never causes an answer to be refused (docs/contract.md §9.1). */
export const orDropped = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.catch(z.optional(schema), undefined);

/** The limit counts code points. */
export const note = (description: string) =>
  z.pipe(
    z.string().check(
      z.refine(
        (value) => value.length <= NOTE_CHARACTERS || Array.from(value).length <= NOTE_CHARACTERS,
        `must be at most ${NOTE_CHARACTERS} characters`,
      ),
      z.meta({ maxLength: NOTE_CHARACTERS, description }),
    ),
    z.transform((value) => value.toWellFormed()),
  );

export const text = () =>
  z.pipe(
    z.string().check(
      z.meta({
        maxLength: TEXT_CHARACTERS,
        description: `The text that the person wrote. Longer text is cut after ${TEXT_CHARACTERS} characters. Lone surrogates are replaced.`,
      }),
    ),
    z.transform((value) => {
      const isWithin = value.length <= TEXT_CHARACTERS;
      return (isWithin ? value : Array.from(value).slice(0, TEXT_CHARACTERS).join('')).toWellFormed();
    }),
  );

/** An e-mail address or telephone number. */
export const contact = () => wellFormed(CONTACT_BYTES);

/** The survey decides which codes are kept. */
export const reasons = () =>
  z.array(z.unknown()).check(
    z.meta({
      items: { type: 'string' },
      description:
        'The codes of the reasons that the person chose, any number. Unknown codes are dropped. If the rating is not low, all are dropped.',
    }),
  );

export const givenReasons = () =>
  described(
    z.array(z.string()),
    'The codes of the reasons that the person chose for the rating; `null` if there are none.',
  );

/** The survey decides which answers are kept (docs/contract.md §9.1). */
export const sentAnswers = () =>
  described(
    z.record(z.string(), z.unknown()),
    `The answers to the questions after the rating, by id: a code, a list of codes, a number, or a text of at most ${ANSWER_CHARACTERS} characters. \`null\` means that the person skipped the question. Answers that do not fit are dropped.`,
  );

export const givenAnswers = () =>
  described(
    z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string()), z.null()])),
    'The answers to the questions after the rating, by id. `null` for a question that the person skipped. Questions that they did not reach are absent; if there are no others, the field is `null`.',
  );

export const answerTexts = () =>
  described(
    z.record(z.string(), z.string()),
    'The answers in words, by the id of the question. Only in stages with `includeText`.',
  );

export const givenChoice = () =>
  described(
    z.nullable(z.string()),
    'The code of the choice. `null` unless the survey is of type `choice`, and after the answer was withdrawn.',
  );

/** The token names the respondent, so only its presence counts. */
export const claimedUserId = () =>
  z.pipe(
    z.unknown().check(
      z.refine((value) => value !== undefined, 'is required'),
      z.meta({
        type: 'string',
        description: "It is not stored: the answer belongs to the token's respondent. Servers can omit it.",
      }),
    ),
    orDropped(identifier()),
  );

export const traits = () =>
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).check(
    z.meta({
      maxProperties: MOST_TRAITS,
      description: `Nested values are stored as JSON text. At most ${MOST_TRAIT_BYTES} bytes as JSON.`,
    }),
  );

export const sentTraits = () =>
  z.pipe(
    described(
      z.record(z.string(), z.unknown()),
      `The person's traits, such as their plan. The first ${MOST_TRAITS} that fit in ${MOST_TRAIT_BYTES} bytes as JSON are kept. Nested values are stored as JSON text.`,
    ),
    z.transform(fitTraits),
  );

export const labels = () =>
  z
    .record(z.string(), z.string())
    .check(z.meta({ maxProperties: MOST_LABELS, description: 'The show-token attests them.' }));

/** An invalid label must not lose an agent's reply. */
export const sentLabels = () =>
  z.pipe(
    z.record(z.string(), z.unknown()).check(
      z.meta({
        additionalProperties: { type: 'string' },
        description: `Labels that describe the turn, such as its model, prompt or experiment arm. They are sealed in the token. At most ${MOST_LABELS}; names must match ${LABEL_NAME.source}, and values have 1 to ${MOST_LABEL_BYTES} bytes. Other labels are dropped and listed in the reply.`,
      }),
    ),
    z.transform(fitLabels),
  );

export const channel = () =>
  described(z.string().check(z.regex(CHANNEL, `must match ${CHANNEL.source}`)), 'For example, `slack`.');

export const day = () => z.iso.date('must be a day, YYYY-MM-DD');

/** The handler reduces larger limits to the maximum. */
export const limit = () =>
  z.pipe(
    z.string().check(
      z.refine((value) => /^0*[1-9]\d{0,14}$/.test(value), 'must be a whole number of at least 1'),
      z.meta({
        type: 'integer',
        minimum: 1,
        description:
          'The maximum number of items on the page. Values above the maximum of the route are reduced to it.',
      }),
    ),
    z.transform(Number),
  );

/** Handlers refuse cursors that they cannot open. */
export const cursor = () =>
  described(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(CURSOR_CHARACTERS)),
    'The `nextCursor` of the previous page. Repeat the other parameters of the query unchanged.',
  );

export const flag = (description: string) =>
  z.pipe(
    z.string().check(
      z.refine((value) => value === 'true' || value === 'false', 'must be true or false'),
      z.meta({ type: 'boolean', description }),
    ),
    z.transform((value) => value === 'true'),
  );

export const namedSurvey = () => ({
  surveyId: z.exactOptional(surveyId()),
  surveySlug: z.exactOptional(surveyId()),
});

interface NamedSurvey {
  readonly surveyId?: string | undefined;
  readonly surveySlug?: string | undefined;
}

export const atMostOneSurvey = () =>
  z.refine<NamedSurvey>((input) => input.surveySlug === undefined || input.surveyId === undefined, {
    path: ['surveySlug'],
    error: 'give either surveySlug or surveyId',
  });

export const exactlyOneSurvey = () =>
  z.refine<NamedSurvey>((input) => (input.surveySlug === undefined) !== (input.surveyId === undefined), {
    path: ['surveySlug'],
    error: 'give either surveySlug or surveyId',
  });

const noneReason = once(() =>
  z.enum(NONE_REASONS).check(
    z.meta({
      id: 'NoneReason',
      description:
        'Why there is no token: the survey is unknown, or the first rule that fails. Later versions can add reasons.',
    }),
  ),
);

export const none = () => z.record(z.string(), noneReason());

/** Generated tokens are shorter. */
const PREVIEW_CHARACTERS = 128;

export const previewToken = () =>
  described(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(PREVIEW_CHARACTERS)),
    'A preview token from `POST /v1/surveys/previews`. The reply then contains only that draft.',
  );
