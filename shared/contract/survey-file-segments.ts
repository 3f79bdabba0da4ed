/** A list of values, or `{from, values}` (docs/admin.md#surveys). */

import * as z from 'zod/mini';
import { CHANNEL, LABEL_NAME } from '../domain/answers/metadata.ts';
import {
  type DeclaredSegments,
  declareAs,
  declaredSource,
  IDENTITY_SEGMENT,
  MOST_SEGMENT_VALUES,
  MOST_SEGMENTS,
  NO_VALUE,
  OTHER_VALUE,
  SEGMENT_SOURCES,
  valuesOf,
} from '../domain/surveys/segments.ts';
import { utf8Bytes } from '../domain/utf8-bytes.ts';

const SEGMENT_VALUE_BYTES = 64;

/** Traits can be numbers and booleans. */
const segmentValue = z.pipe(
  z.union([z.string(), z.number(), z.boolean()], 'must be text, a number, true, or false').check(
    z.refine((value) => value !== '', 'must not be empty'),
    z.refine(
      (value) => utf8Bytes(String(value)) <= SEGMENT_VALUE_BYTES,
      `must be at most ${SEGMENT_VALUE_BYTES} bytes`,
    ),
    z.refine(
      (value) => value !== OTHER_VALUE,
      `must not be ${OTHER_VALUE}, because all other values are counted under it`,
    ),
    z.refine(
      (value) => value !== NO_VALUE,
      `must not be ${NO_VALUE}, which stands for responses without a value`,
    ),
  ),
  z.transform(String),
);

const segmentName = z.string().check(
  z.regex(
    /^[A-Za-z][\w.-]{0,63}$/,
    'must start with a letter and have up to 64 letters, digits, and the characters _ . and -',
  ),
  z.refine(
    (name) => name !== IDENTITY_SEGMENT,
    `must not be ${IDENTITY_SEGMENT}, because that name is reserved`,
  ),
);

const segmentValues = z.array(segmentValue).check(
  z.minLength(1, 'must have at least one value'),
  z.maxLength(MOST_SEGMENT_VALUES, `must not have more than ${MOST_SEGMENT_VALUES} values`),
  z.refine((values) => new Set(values).size === values.length, 'must not have the same value twice'),
);

export const sourcedValues = z.strictObject({
  from: z.exactOptional(z.enum(SEGMENT_SOURCES)),
  values: segmentValues,
});

const segment = z.union([segmentValues, sourcedValues], 'must be a list');

function problemWith([name, declared]: [string, DeclaredSegments[string]]): string | undefined {
  const from = declaredSource(name, declared);
  if (name === 'taskType' && from !== 'taskType')
    return 'must have another name, because taskType is reserved for the source “task type”';
  if (from === 'label' && !LABEL_NAME.test(name))
    return 'must have the name of a label: up to 32 lowercase letters, digits, and hyphens, starting with a letter';
  if (from === 'channel' && !valuesOf(declared).every((value) => CHANNEL.test(value)))
    return 'must have channels, which have up to 32 lowercase letters, digits, and hyphens, starting with a letter';
  return undefined;
}

export const segmentsSchema = z
  .pipe(
    z
      .record(segmentName, segment)
      .check(
        z.refine(
          (value) => Object.keys(value).length <= MOST_SEGMENTS,
          `must not have more than ${MOST_SEGMENTS} segments`,
        ),
      ),
    z.transform(
      (segments): DeclaredSegments =>
        Object.fromEntries(
          Object.entries(segments).map(([name, declared]) => {
            if (Array.isArray(declared)) return [name, declared];
            const from = declared.from ?? declaredSource(name, declared.values);
            return [name, declareAs(name, from, declared.values)];
          }),
        ),
    ),
  )
  .check(
    z.check(({ value, issues }) => {
      for (const entry of Object.entries(value)) {
        const message = problemWith(entry);
        if (message !== undefined)
          issues.push({ code: 'custom', path: [entry[0]], message, input: entry[1] });
      }
    }),
  );
