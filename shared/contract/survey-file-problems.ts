/** Survey files and the console use the same paths and messages. */

import type * as z from 'zod/mini';
import type { Survey } from '../domain/surveys/survey.ts';
import type { SurveyDraft } from '../domain/surveys/survey-plan.ts';
import { unfitTexts, unsafeLinks } from '../domain/surveys/survey-rules.ts';
import { didYouMean } from './did-you-mean.ts';
import type { ReadInput } from './route.ts';
import { SURVEY_FILE_FIELDS } from './survey-file.ts';

export type Path = readonly PropertyKey[];
type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

export interface Problem {
  readonly path: Path;
  /** True if the problem is the key, not its value. */
  readonly isKey: boolean;
  readonly message: string;
}

/** `surveys[2].limits.quietPeriod` */
export const pathText = (path: Path): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** Texts and links that cannot be set in a browser, unless the stored survey has them. */
export const unfitIn = (draft: SurveyDraft, before: Pick<Survey, 'content'> | undefined) => [
  ...unsafeLinks(draft.content, before?.content),
  ...unfitTexts(draft, before).map(({ path, message }) => ({ path: pathText(path), message })),
];

/** Every object inherits these names. As keys, they would be lost or misread. */
const RESERVED: ReadonlySet<unknown> = new Set(Object.getOwnPropertyNames(Object.prototype));
export const isReserved = (key: unknown): boolean => RESERVED.has(key);

export const MOST_LEVELS = 64;
export const NESTED_TOO_DEEP = `lists and maps are nested too deep: ${MOST_LEVELS} levels are read`;

const NO_FIELD = 'is not a field here.';

/** `surveys[0].type: is missing`; `surveys[0].tpye is not a field here.` */
export function problemText({ path, message }: Pick<Problem, 'path' | 'message'>): string {
  const name = pathText(path) || 'the file';
  return message.startsWith(NO_FIELD) ? `${name} ${message}` : `${name}: ${message}`;
}

const noField = (path: Path, hint = ''): Problem => ({
  path,
  isKey: true,
  message: `${NO_FIELD}${hint}`,
});
export const reservedKey = (path: Path): Problem => noField(path);

/** Schemas do not detect reserved keys or deep nesting. */
function unsoundValues(value: unknown, at: Path): Problem[] {
  const found: Problem[] = [];
  const waiting: { readonly value: unknown; readonly path: Path }[] = [{ value, path: at }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: part, path } = next;
    if (typeof part !== 'object' || part === null) continue;
    if (path.length >= MOST_LEVELS) return [{ path: at, isKey: false, message: NESTED_TOO_DEEP }];
    for (const [key, child] of Object.entries(part)) {
      const place = [...path, Array.isArray(part) ? Number(key) : key];
      if (!Array.isArray(part) && isReserved(key)) found.push(reservedKey(place));
      else waiting.push({ value: child, path: place });
    }
  }
  return found;
}

const isInside = (issues: readonly z.core.$ZodIssue[]): boolean =>
  issues.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys');

export function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => noField([...issue.path, key], didYouMean(key, SURVEY_FILE_FIELDS)));
  }
  // A value of one kind, such as a map instead of a list, has the problems of that kind.
  const fitting = issue.code === 'invalid_union' ? issue.errors.filter(isInside) : [];
  if (fitting.length === 1)
    return (fitting[0] ?? []).flatMap((each) => problemsOf({ ...each, path: [...issue.path, ...each.path] }));
  const isKey = issue.code === 'invalid_key';
  const message = isKey ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [{ path: issue.path, isKey, message }];
}

const WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  object: 'a map',
  record: 'a map',
  string: 'text',
};

export function explain({ input, ...issue }: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return input === undefined ? 'is missing' : `must be ${WORDS[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value': {
      if (input === undefined) return 'is missing';
      const hint = typeof input === 'string' ? didYouMean(input, issue.values.map(String)) : '';
      return `must be one of ${issue.values.join(', ')}.${hint}`;
    }
    case 'invalid_union':
      return input === undefined
        ? 'is missing'
        : 'must be text, a number, true, false, null, or a list of these';
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

/** Reports every problem. @param name the field that contains the surveys */
export function readWritten<Schema extends z.ZodMiniObject>(
  schema: Schema,
  fields: Readonly<Record<string, unknown>>,
  name: string,
): ReadInput<z.output<Schema>> {
  const unsound = unsoundValues(fields[name], [name]);
  const isDeep = unsound.some(({ isKey }) => !isKey);
  const read = isDeep ? undefined : schema.safeParse(fields, { error: explain });
  const places = new Set(unsound.map(({ path }) => pathText(path)));
  const unfit = (read?.error?.issues ?? [])
    .flatMap(problemsOf)
    .filter(({ path }) => !places.has(pathText(path)));
  if (read?.success === true && unsound.length === 0) return { input: read.data };
  return {
    issues: [...unsound, ...unfit].map(({ path, message }) => ({ path: pathText(path), message })),
  };
}
