import type * as z from 'zod/mini';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** What an error says of a field that is missing or of another type; for all else the schemas have words of their own. */
export const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined) return 'is required';
  const { expected } = issue;
  return `must be ${KINDS[expected] ?? expected}`;
};
