/** Schemas of the fields that routes share. Bundled, so zod/mini. */

import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { IDENTITY_KINDS } from '../domain/answer.ts';

z.config(en());

/** Bytes of UTF-8. */
const IDENTIFIER_BYTES = 256;
const TASK_TYPE_BYTES = 64;
const TEXT_CHARACTERS = 5_000;
const ACK_ERROR_CHARACTERS = 500;
const TRAIT_COUNT = 50;
const TRAIT_BYTES = 4_096;
const TOKEN_CHARACTERS = 1_024;
const CURSOR_CHARACTERS = 2_048;
/** The widest scale of any survey type; the survey's own is checked once it is known. */
const OUTER_RATING = { min: 0, max: 10 } as const;

const utf8Length = (text: string): number => Buffer.byteLength(text, 'utf8');

function wellFormed(maxBytes: number) {
  return z.string().check(
    z.minLength(1, 'must not be empty'),
    z.refine((text) => text.isWellFormed(), 'must be well-formed Unicode'),
    z.refine((text) => utf8Length(text) <= maxBytes, `must be at most ${maxBytes} bytes of UTF-8`),
    z.meta({ maxLength: maxBytes, description: `At most ${maxBytes} bytes of UTF-8, no lone surrogates.` }),
  );
}

export const identifier = () => wellFormed(IDENTIFIER_BYTES);
export const taskType = () => wellFormed(TASK_TYPE_BYTES);

/** ISO 8601 UTC with milliseconds. */
export const timestamp = () =>
  z
    .string()
    .check(
      z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'must be ISO 8601 UTC with milliseconds'),
      z.meta({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds.' }),
    );

export const key = () =>
  z.string().check(
    z.meta({
      description: "The project's publishable key; in the query or in the body, if in both then equal.",
    }),
  );
export const showToken = () =>
  z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(TOKEN_CHARACTERS),
      z.meta({ description: 'Opaque, single-use show-token.' }),
    );
export const surveyId = () => wellFormed(IDENTIFIER_BYTES);
export const rating = () => z.int().check(z.gte(OUTER_RATING.min), z.lte(OUTER_RATING.max));
export const identityKind = () => z.enum(IDENTITY_KINDS);

/**
 * Free text, counted in characters (code points). A lone surrogate, as a cut-off emoji leaves it, is replaced
 * rather than refused: what a person wrote is worth more than its last half character.
 */
function prose(maxCharacters: number, description: string) {
  return z.pipe(
    z.string().check(
      z.refine(
        (value) => value.length <= maxCharacters || Array.from(value).length <= maxCharacters,
        `must be at most ${maxCharacters} characters`,
      ),
      z.meta({ maxLength: maxCharacters, description: `${description}; a lone surrogate is replaced.` }),
    ),
    z.transform((value) => value.toWellFormed()),
  );
}

export const text = () => prose(TEXT_CHARACTERS, 'Free text');
export const ackError = () => prose(ACK_ERROR_CHARACTERS, 'Why it failed');

export const traits = () =>
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).check(
    z.refine((value) => Object.keys(value).length <= TRAIT_COUNT, `must have at most ${TRAIT_COUNT} keys`),
    z.refine(
      (value) => utf8Length(JSON.stringify(value)) <= TRAIT_BYTES,
      `must be at most ${TRAIT_BYTES} bytes as JSON`,
    ),
    z.meta({ maxProperties: TRAIT_COUNT, description: `Flat; at most ${TRAIT_BYTES} bytes as JSON.` }),
  );

/** A page size as a query writes it; the handler caps it. */
export const limit = () =>
  z.pipe(
    z.string().check(
      z.refine((value) => /^0*[1-9]\d{0,14}$/.test(value), 'must be a whole number of at least 1'),
      z.meta({ type: 'integer', minimum: 1, description: 'Most items of the page; a larger one is capped.' }),
    ),
    z.transform(Number),
  );

/** Opaque; one that does not open is refused by the handler. */
export const cursor = () =>
  z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(CURSOR_CHARACTERS),
      z.meta({ description: 'The `nextCursor` of the page before, for the same query.' }),
    );

/** A switch as a query writes it. */
export const flag = (description: string) =>
  z.pipe(
    z.string().check(
      z.refine((value) => value === 'true' || value === 'false', 'must be true or false'),
      z.meta({ type: 'boolean', description }),
    ),
    z.transform((value) => value === 'true'),
  );
