/** These use zod/mini, because functions bundle them. */

import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { IDENTITY_KINDS, TEXT_CHARACTERS } from '../domain/answers/answer.ts';
import { fieldsIn } from '../domain/answers/answer-fields.ts';
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
import { described } from './described.ts';
import { NOT_WELL_FORMED } from './errors.ts';

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
    z.meta({ maxLength: maxBytes, description: `At most ${maxBytes} bytes of UTF-8, no lone surrogates.` }),
  );
}

export const identifier = () => wellFormed(IDENTIFIER_BYTES);
export const taskType = () => wellFormed(TASK_TYPE_BYTES);

export const dropped = () =>
  described(z.array(z.string()), 'Paths of fields that were not kept, such as `traits.orgs`.');

/** Marks fields that redaction changes (docs/contract.md §9.8). */
export const redacted = () =>
  described(
    z.array(z.literal(fieldsIn('redacted'))),
    'Fields with addresses or numbers that are not stored.',
  );

export const verified = () =>
  described(z.boolean(), 'Whether a server or a signed token named the respondent, not the page.');

export const timestamp = () =>
  z
    .string()
    .check(
      z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be ISO 8601 UTC with milliseconds'),
      z.meta({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds.' }),
    );

export const key = () =>
  described(z.string(), "The project's publishable key; in the query or in the body, if in both then equal.");
export const showToken = () =>
  described(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(TOKEN_CHARACTERS)),
    'Opaque, single-use show-token.',
  );
/** The handler checks the token once it knows the project. */
export const userToken = () =>
  z.unknown().check(
    z.meta({
      type: 'string',
      description:
        'JWT that says who the person is, signed for the project; read where the project requires identity.',
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
        description: `Free text; of a longer one ${TEXT_CHARACTERS} characters are kept. A lone surrogate is replaced.`,
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
        "Codes of the survey's reasons for a low rating, any number; an unknown one is dropped, and all with another rating.",
    }),
  );

export const givenReasons = () =>
  described(z.array(z.string()), 'Codes of the reasons for the rating; null without any.');

/** The token names the respondent, so only its presence counts. */
export const claimedUserId = () =>
  z.pipe(
    z.unknown().check(
      z.refine((value) => value !== undefined, 'is required'),
      z.meta({
        type: 'string',
        description: "Who the page takes the person for; the token's respondent counts.",
      }),
    ),
    orDropped(identifier()),
  );

export const traits = () =>
  z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .check(
      z.meta({ maxProperties: MOST_TRAITS, description: `Flat; at most ${MOST_TRAIT_BYTES} bytes as JSON.` }),
    );

export const sentTraits = () =>
  z.pipe(
    described(
      z.record(z.string(), z.unknown()),
      `Of these the first ${MOST_TRAITS} that fit into ${MOST_TRAIT_BYTES} bytes as JSON are kept; nested ones as JSON text.`,
    ),
    z.transform(fitTraits),
  );

export const labels = () =>
  z
    .record(z.string(), z.string())
    .check(z.meta({ maxProperties: MOST_LABELS, description: 'Of the turn, as the token attests them.' }));

/** An invalid label must not lose an agent's reply. */
export const sentLabels = () =>
  z.pipe(
    z.record(z.string(), z.unknown()).check(
      z.meta({
        additionalProperties: { type: 'string' },
        description: `What the server knows of the turn, such as its model, prompt or arm; sealed in the token. At most ${MOST_LABELS}, named as ${LABEL_NAME.source}, with values of 1 to ${MOST_LABEL_BYTES} bytes; any other is dropped and named.`,
      }),
    ),
    z.transform(fitLabels),
  );

export const channel = () =>
  described(
    z.string().check(z.regex(CHANNEL, `must match ${CHANNEL.source}`)),
    'Where the server received the answer, such as `slack`.',
  );

export const day = () => z.iso.date('must be a day, YYYY-MM-DD');

/** The handler reduces larger limits to the maximum. */
export const limit = () =>
  z.pipe(
    z.string().check(
      z.refine((value) => /^0*[1-9]\d{0,14}$/.test(value), 'must be a whole number of at least 1'),
      z.meta({ type: 'integer', minimum: 1, description: 'Most items of the page; a larger one is capped.' }),
    ),
    z.transform(Number),
  );

/** Handlers refuse cursors that they cannot open. */
export const cursor = () =>
  described(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(CURSOR_CHARACTERS)),
    'The `nextCursor` of the page before, for the same query.',
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

/** Generated tokens are shorter. */
const PREVIEW_CHARACTERS = 128;

export const previewToken = () =>
  described(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(PREVIEW_CHARACTERS)),
    'From `POST /v1/surveys/previews`. Bootstrap returns only that draft.',
  );
