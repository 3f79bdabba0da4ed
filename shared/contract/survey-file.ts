/** docs/contract.md §14. */

import * as z from 'zod/mini';
import { DAY, formatDuration, parseDuration } from '../domain/duration.ts';
import { parseRetention, RETENTION_FORM } from '../domain/retention.ts';
import { onlyPlain, ratingProblems } from '../domain/surveys/by-rating.ts';
import { typeProblems } from '../domain/surveys/choices.ts';
import { questionProblems } from '../domain/surveys/questions.ts';
import { MOST_REASONS } from '../domain/surveys/reasons.ts';
import { formatRepeat, isWait, parseRepeat, type WrittenRepeat } from '../domain/surveys/repeat.ts';
import {
  hasScale,
  isWorded,
  PRESENTATIONS,
  SURVEY_STATUSES,
  type SurveyType,
  type TargetingRule,
  TRIGGERS,
  TYPES,
} from '../domain/surveys/survey.ts';
import type { SurveyDraft } from '../domain/surveys/survey-plan.ts';
import { MOST_SURVEYS, textsIn } from '../domain/surveys/survey-rules.ts';
import { utf8Bytes } from '../domain/utf8-bytes.ts';
import { described } from './errors.ts';
import { segmentsSchema, sourcedValues } from './survey-file-segments.ts';
import {
  anyThanks,
  choice,
  choices,
  endLabels,
  followUp,
  followUps,
  localisedTexts,
  question,
  questions,
  questionTexts,
  reason,
  surveyContent,
  surveyEvent,
  targetingRule,
  thanks,
  thanksLink,
  words,
} from './survey-schemas.ts';

/** The limit counts UTF-8 bytes of JSON. */
const MOST_SURVEY_BYTES = 8 * 1_024;

const isStorable = (value: number): boolean =>
  value === 0 || (Math.abs(value) <= Number.MAX_SAFE_INTEGER && Math.abs(value) >= 1e-100);

const TIMESTAMP = 'must be a date, such as 2026-12-01, or a time with its zone, such as 2026-12-01T09:00:00Z';
const DATE = /^(\d{4}-\d\d-\d\d)(Z|[+-]\d\d:\d\d)?$/;
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const asTime = (text: string): string => text.replace(DATE, (_, day, zone = 'Z') => `${day}T00:00:00${zone}`);

const isoTime = (time: number): string => new Date(Math.min(time, LATEST)).toISOString();

/** A date is the first instant of its day. Without a zone, the day is in UTC. */
const timestamp = z
  .string(TIMESTAMP)
  .check(z.refine((text) => z.iso.datetime({ offset: true }).safeParse(asTime(text)).success, TIMESTAMP));
const start = z.pipe(
  timestamp,
  z.transform((text) => isoTime(Date.parse(asTime(text)))),
);
/** A date is the end of its day. */
const end = z.pipe(
  timestamp,
  z.transform((text) => {
    const time = Date.parse(asTime(text));
    return DATE.test(text) ? { at: isoTime(time + DAY), day: isoTime(time) } : { at: isoTime(time) };
  }),
);

/** YAML reads an unquoted 0 as a number. */
const duration = () =>
  z.pipe(
    z
      .union([z.string(), z.literal(0)], 'must be a duration such as 12h or 7d, or 0')
      .check(
        z.refine(
          (value) => parseDuration(String(value)) !== undefined,
          'must be a duration such as 12h or 7d, or 0',
        ),
      ),
    z.transform((value) => parseDuration(String(value)) ?? 0),
  );

interface Checked {
  readonly value: unknown;
  readonly issues: readonly { readonly path?: readonly PropertyKey[] | undefined }[];
}

/** A check runs only if the fields that it reads are valid. */
const whenValid =
  (...fields: readonly string[]) =>
  ({ value, issues }: Checked): boolean =>
    typeof value === 'object' &&
    value !== null &&
    !issues.some(({ path }) => fields.includes(String(path?.[0])));

const operandError = ({ op, value }: TargetingRule): string | undefined => {
  if (op === 'exists')
    return value === undefined || typeof value === 'boolean' ? undefined : 'must be true or false';
  if (value === undefined) return 'is missing';
  if (op === 'in') return Array.isArray(value) ? undefined : 'must be a list if op is in';
  if (Array.isArray(value)) return `must not be a list if op is ${op}`;
  const isOrder = op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte';
  return isOrder && typeof value !== 'number' && typeof value !== 'string'
    ? `must be a number or text if op is ${op}`
    : undefined;
};

const rule = z.strictObject(targetingRule().shape).check(
  z.check(
    (context) => {
      const { value } = context;
      const error = operandError(value);
      const numbers = [value.value].flat().filter((operand) => typeof operand === 'number');
      const message = error ?? (numbers.every(isStorable) ? undefined : 'must not be that large or small');
      if (message === undefined) return;
      context.issues.push({ code: 'custom', path: ['value'], message, input: value.value });
    },
    { when: whenValid('op', 'value') },
  ),
);

const labels = () => z.strictObject(endLabels().shape);
export const link = z.strictObject({
  ...thanksLink().shape,
  url: z.string().check(
    z.overwrite((url) => url.trimEnd()),
    z.regex(/^https?:\/\/./, 'must start with https:// or http://'),
  ),
});
export const fileThanks = z.strictObject({ ...thanks().shape, link: z.exactOptional(link) });
const sorted = z.overwrite((ratings: number[]) => [...new Set(ratings)].sort((a, b) => a - b));
const fileFollowUp = z.strictObject({ ...followUp().shape, ratings: followUp().shape.ratings.check(sorted) });
export const fileRatingThanks = z.strictObject({
  ...fileThanks.shape,
  ratings: z.exactOptional(followUp().shape.ratings.check(sorted)),
});
const fileFollowUps = followUps(fileFollowUp);
const anyFileThanks = z.pipe(
  anyThanks(fileThanks, fileRatingThanks),
  z.transform((thanks) => onlyPlain(thanks) ?? thanks),
);
const fileWords = z.strictObject(words().shape);
const fileQuestionTexts = z.strictObject({
  ...questionTexts().shape,
  endLabels: z.exactOptional(labels()),
});
export const fileTexts = z.strictObject({
  ...localisedTexts().shape,
  followUps: z.exactOptional(fileFollowUps),
  endLabels: z.exactOptional(labels()),
  thanks: z.exactOptional(anyFileThanks),
  questions: z.exactOptional(
    described(z.record(z.string(), fileQuestionTexts), 'The texts of the questions, by id.'),
  ),
  words: z.exactOptional(fileWords),
});

const eventShape = surveyEvent().shape;
const fileEvent = z.strictObject({
  ...eventShape,
  after: z.exactOptional(
    z.pipe(
      eventShape.after.def.innerType,
      z.transform((text) => formatDuration(parseDuration(text) ?? 0)),
    ),
  ),
});

const fileReason = z.strictObject(reason().shape);
const fileChoice = z.strictObject(choice().shape);
const fileQuestion = z.strictObject({
  ...question(fileReason, labels()).shape,
  ratings: z.exactOptional(followUp().shape.ratings.check(sorted)),
});
const fileReasons = z
  .array(fileReason)
  .check(
    z.minLength(1, 'must have a reason'),
    z.maxLength(MOST_REASONS, `must not have more than ${MOST_REASONS} reasons`),
  );

/** A survey may label both ends or each value. `pmf` needs a label for each value; `thumbs` has two values. */
function valueWordsError(type: SurveyType, values: readonly string[] | undefined): string | undefined {
  const { min, max } = TYPES[type].scale;
  const each = max - min + 1;
  if (values === undefined || values.length === each || !hasScale(type)) return undefined;
  if (isWorded(type)) return `must have ${each} words, lowest first`;
  return values.length === 2 ? undefined : `must have 2 words, for the ends, or ${each}, lowest first`;
}
const languageTag = z
  .string()
  .check(z.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a language code such as de or pt-BR'));

const limits = z.strictObject({
  maxResponses: z.exactOptional(z.int().check(z.gte(0))),
  quietPeriod: z.exactOptional(duration()),
  ignoreQuietPeriod: z.exactOptional(z.boolean()),
});

const REPEAT =
  'must be never, session, observation, a duration of 1s to 36500d, or {answered: 90d, dismissed: 14d}';
const wait = () => z.string().check(z.refine(isWait, REPEAT));
const waits = z.strictObject({ answered: z.exactOptional(wait()), dismissed: z.exactOptional(wait()) });
const repeat = z.pipe(
  z.union([z.enum(['session', 'observation']), wait(), waits], REPEAT),
  z.transform((written: WrittenRepeat) => parseRepeat(written)),
);

const retention = z
  .string(RETENTION_FORM)
  .check(z.refine((text) => parseRetention(text) !== undefined, RETENTION_FORM));

/** DynamoDB replaces lone surrogates, so the stored survey would never equal its file. */
const isWellFormed = (value: unknown): boolean =>
  textsIn(value).every(([path, text]) => [...path, text].every((part) => String(part).isWellFormed()));

const UNFIT = { auto: [], manual: ['on'], person: ['on', 'delayMs', 'samplePercent', 'repeat'] } as const;
const OPENS = { auto: '', manual: 'the page then calls show()', person: 'the person then opens the survey' };

export const surveyOfFile = z
  .strictObject({
    ...surveyContent(),
    presentation: z._default(z.enum(PRESENTATIONS), 'corner'),
    trigger: z._default(z.enum(TRIGGERS), 'auto'),
    on: z.exactOptional(described(fileEvent, 'The event on the page that an `auto` survey waits for.')),
    targeting: z.exactOptional(z.array(rule)),
    followUps: z.exactOptional(fileFollowUps),
    endLabels: z.exactOptional(labels()),
    thanks: z.exactOptional(anyFileThanks),
    words: z.exactOptional(fileWords),
    reasons: z.exactOptional(fileReasons),
    choices: z.exactOptional(choices(fileChoice)),
    questions: z.exactOptional(questions(fileQuestion)),
    locales: z.exactOptional(z.record(languageTag, fileTexts)),
    status: z._default(z.enum(SURVEY_STATUSES), 'active'),
    startsAt: z.exactOptional(start),
    endsAt: z.exactOptional(end),
    repeat: z.exactOptional(repeat),
    limits: z._default(limits, {}),
    segments: z.exactOptional(segmentsSchema),
    retention: z.exactOptional(retention),
  })
  .check(
    ({ value: { locales = {}, ...survey }, issues }) => {
      for (const [field, one] of [
        ['reasons', 'reason'],
        ['choices', 'choice'],
      ] as const) {
        const codes = (survey[field] ?? []).map(({ code }) => code);
        for (const [index, code] of codes.entries()) {
          const message = `must not be the code of another ${one} of this survey`;
          if (codes.indexOf(code) < index)
            issues.push({ code: 'custom', path: [field, index, 'code'], message, input: code });
        }
        for (const [name, texts] of Object.entries(locales)) {
          for (const code of Object.keys(texts[field] ?? {})) {
            const message = `must be the code of a ${one} of this survey`;
            if (!codes.includes(code))
              issues.push({ code: 'custom', path: ['locales', name, field, code], message, input: code });
          }
        }
      }
    },
    z.check(
      ({ value, issues }) => {
        for (const { path, message } of typeProblems(value))
          issues.push({ code: 'custom', path: [...path], message, input: value });
      },
      { when: whenValid('type', 'words', 'thanks', 'locales') },
    ),
    z.check(
      ({ value, issues }) => {
        for (const { path, message } of ratingProblems(value))
          issues.push({ code: 'custom', path: [...path], message, input: value });
      },
      { when: whenValid('type', 'followUps', 'thanks', 'locales') },
    ),
    z.check(
      ({ value, issues }) => {
        for (const { path, message } of questionProblems(value))
          issues.push({ code: 'custom', path: [...path], message, input: value });
      },
      { when: whenValid('type', 'questions', 'locales') },
    ),
    ({ value: { type, words, locales = {} }, issues }) => {
      const given: [(string | number)[], readonly string[] | undefined][] = [
        [[], words?.values],
        ...Object.entries(locales).map(([name, texts]): [string[], readonly string[] | undefined] => [
          ['locales', name],
          texts.words?.values,
        ]),
      ];
      for (const [path, values] of given) {
        const message = valueWordsError(type, values);
        if (message)
          issues.push({ code: 'custom', path: [...path, 'words', 'values'], message, input: values });
      }
    },
    z.refine(isWellFormed, {
      error: 'must not have half a character (a lone surrogate) in its texts',
      when: whenValid(),
    }),
    z.refine(
      (survey) => utf8Bytes(JSON.stringify({ ...survey, endsAt: survey.endsAt?.at })) <= MOST_SURVEY_BYTES,
      {
        error: `must be at most ${MOST_SURVEY_BYTES} bytes as JSON`,
        when: whenValid(),
      },
    ),
    z.check(
      ({ value, issues }) => {
        for (const name of UNFIT[value.trigger]) {
          const message = `must be absent with trigger: ${value.trigger}, because ${OPENS[value.trigger]}`;
          if (value[name] !== undefined) issues.push({ code: 'custom', path: [name], message, input: value });
        }
      },
      { when: whenValid('on', 'trigger', 'delayMs', 'samplePercent', 'repeat') },
    ),
    z.refine(
      ({ startsAt, endsAt }) => startsAt === undefined || endsAt === undefined || startsAt < endsAt.at,
      {
        path: ['endsAt'],
        error: 'must be later than startsAt',
        when: whenValid('startsAt', 'endsAt'),
      },
    ),
  );

const pulled = z.strictObject({ project: z.string(), revision: z.int().check(z.gte(0)) });

export const surveyList = (most: number) =>
  z.array(surveyOfFile).check(
    z.maxLength(most, `must not have more than ${most} surveys`),
    z.check(
      ({ value, issues }) => {
        const seen = new Set<unknown>();
        for (const [index, survey] of value.entries()) {
          const slug: unknown = survey?.slug;
          const message = 'must not be the slug of another survey of this file';
          if (slug !== undefined && seen.has(slug)) {
            issues.push({ code: 'custom', path: [index, 'slug'], message, input: slug });
          }
          seen.add(slug);
        }
      },
      { when: ({ value }) => Array.isArray(value) },
    ),
  );

export const surveyFile = z.strictObject({
  pulled: z.exactOptional(pulled),
  surveys: surveyList(MOST_SURVEYS),
});

export const SURVEY_FILE_FIELDS: readonly string[] = [
  surveyFile,
  pulled,
  surveyOfFile,
  limits,
  waits,
  rule,
  fileEvent,
  labels(),
  fileRatingThanks,
  fileFollowUp,
  link,
  fileWords,
  fileReason,
  fileChoice,
  fileQuestion,
  sourcedValues,
].flatMap(({ shape }) => Object.keys(shape));

export function toDraft(survey: z.output<typeof surveyOfFile>): SurveyDraft {
  const { status, startsAt, endsAt, repeat, limits, segments, retention, ...content } = survey;
  const { quietPeriod, ...otherLimits } = limits;
  return {
    status,
    content,
    limits: { ...otherLimits, ...(quietPeriod !== undefined && { quietPeriodMs: quietPeriod }) },
    ...(repeat !== undefined && formatRepeat(repeat) !== 'never' && { repeat }),
    ...(segments !== undefined && { segments }),
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt: endsAt.at, ...(endsAt.day && { endDay: endsAt.day }) }),
    ...(retention !== undefined && retention !== 'none' && { retention }),
  };
}
