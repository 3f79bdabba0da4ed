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
  z.union([z.string(), z.number(), z.boolean()], 'must be a text, a number, true or false').check(
    z.refine((value) => value !== '', 'must not be empty'),
    z.refine(
      (value) => utf8Bytes(String(value)) <= SEGMENT_VALUE_BYTES,
      `must be at most ${SEGMENT_VALUE_BYTES} bytes`,
    ),
    z.refine((value) => value !== OTHER_VALUE, `${OTHER_VALUE} is what all others are counted as`),
    z.refine(
      (value) => value !== NO_VALUE,
      `${NO_VALUE} is how results are asked for answers without a value`,
    ),
  ),
  z.transform(String),
);

const segmentName = z.string().check(
  z.regex(/^[A-Za-z][\w.-]{0,63}$/, 'must be the name of a trait: a letter, then letters, digits, _ . or -'),
  z.refine((name) => name !== IDENTITY_SEGMENT, `${IDENTITY_SEGMENT} is counted of every survey`),
);

const segmentValues = z.array(segmentValue).check(
  z.minLength(1, 'must have a value'),
  z.maxLength(MOST_SEGMENT_VALUES, `must be at most ${MOST_SEGMENT_VALUES} values`),
  z.refine((values) => new Set(values).size === values.length, 'names a value twice'),
);

export const sourcedValues = z.strictObject({
  from: z.exactOptional(z.enum(SEGMENT_SOURCES)),
  values: segmentValues,
});

/** Only objects are read as the long form, so that problems have the correct path. */
const segment = z.pipe(
  z.unknown(),
  z.transform((input, { issues }) => {
    const isMap = typeof input === 'object' && input !== null && !Array.isArray(input);
    const schema: z.ZodMiniType<string[] | z.output<typeof sourcedValues>> = isMap
      ? sourcedValues
      : segmentValues;
    const result = schema._zod.run({ value: input, issues: [] }, { async: false });
    if (result instanceof Promise) throw new TypeError('a schema of segments is asynchronous');
    issues.push(...result.issues);
    return result.issues.length > 0 ? [] : schema.parse(input);
  }),
);

function problemWith([name, declared]: [string, DeclaredSegments[string]]): string | undefined {
  const from = declaredSource(name, declared);
  if (name === 'taskType' && from !== 'taskType') return 'taskType is of the task type alone';
  if (from === 'label' && !LABEL_NAME.test(name)) return `must be named as a label: ${LABEL_NAME.source}`;
  if (from === 'channel' && !valuesOf(declared).every((value) => CHANNEL.test(value)))
    return `has a value that is no channel: ${CHANNEL.source}`;
  return undefined;
}

export const segmentsSchema = z
  .pipe(
    z
      .record(segmentName, segment)
      .check(
        z.refine(
          (value) => Object.keys(value).length <= MOST_SEGMENTS,
          `must be at most ${MOST_SEGMENTS} segments`,
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
