/** Finds problems by the rules of `survey apply`. */

import { surveyOfFile, toDraft } from '../../../shared/contract/survey-file.ts';
import {
  explain,
  type Problem,
  pathText,
  problemsOf,
  unfitIn,
} from '../../../shared/contract/survey-file-problems.ts';
import { thanksList } from '../../../shared/domain/surveys/by-rating.ts';
import { MOST_TIMES } from '../../../shared/domain/surveys/conditions.ts';
import type { SurveyTexts } from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';

export interface EditProblem {
  /** A path such as `reasons[0].label`. */
  readonly path: string;
  readonly words: string;
}

interface Surroundings {
  readonly base?: WrittenSurvey | undefined;
  readonly taken: readonly string[];
}

const LINK = 'Enter a link that starts with https://, such as https://example.com.';

/** Sentences for fields that files write differently, such as patterns, durations and times. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^slug$/, 'Use up to 64 lowercase letters, digits, and hyphens. Start with a letter or a digit.'],
  [/ratings$/, 'Select at least one rating.'],
  [/link\.url$/, LINK],
  [/^questions\[\d+\]\.id$/, 'Use up to 32 lowercase letters, digits, and hyphens. Each ID must be unique.'],
  [/^questions\[\d+\]\.kind$/, 'Only one question can have the kind “Text”.'],
  [/^questions\[\d+\]\.max$/, 'Select a number that is higher than the lowest number.'],
  [/\.code$/, 'Use up to 32 lowercase letters, digits, and hyphens. Each code must be unique.'],
  [/^locales\.[^.]+$/, 'Remove this language, and add it again with a language code such as de or pt-BR.'],
  [/^startsAt$/, 'Enter a date and a time.'],
  [/^endsAt$/, 'Enter a date and a time after the start time.'],
  [/^repeat/, 'Enter a whole number. The time must be between 1 second and 100 years.'],
  [/^limits\.quietPeriod$/, 'Enter a whole number, or 0 for no quiet period.'],
  [/^on\.event$/, 'Use up to 64 lowercase letters, digits, and hyphens. Start with a letter.'],
  [/^on\.after$/, 'Enter a whole number. The time must be between 1 second and 1 day.'],
  [/^on\.times$/, `Enter a whole number from 1 to ${MOST_TIMES}.`],
  [/^delayMs$/, 'Enter a number of seconds, such as 5 or 0.5.'],
  [/^priority$/, 'Enter a whole number.'],
  [/^limits\.maxResponses$/, 'Enter a whole number, or 0 for no limit.'],
  [/^samplePercent$/, 'Enter a percentage from 0 to 100.'],
  [/\bchoices$/, 'Enter 2 to 8 choices.'],
  [/words\.values$/, 'Label every rating, or leave all labels empty.'],
  [/^targeting\[\d+\]\.value$/, 'Enter a number or text to compare with.'],
];

/** Nouns for what people enter into a field. */
const NOUNS: readonly (readonly [RegExp, string])[] = [
  [/^$/, 'a survey'],
  [/^question$/, 'a question'],
  [/^questions\[\d+\]\.text$/, 'a question'],
  [/^questions\[\d+\]\.id$/, 'an ID'],
  [/reasons\W/, 'a reason'],
  [/choices\W/, 'a choice'],
  [/^choices$/, '2 to 8 choices'],
  [/^reasons$/, 'a survey'],
  [/^pages\[/, 'a page'],
  [/^retention$/, 'a retention period'],
  [/thanks(\[\d+\])?\.text$/, 'a thank-you message'],
  [/followUps\W/, 'a follow-up question'],
  [/link\.label$/, 'the link text'],
  [/endLabels/, 'both labels, or leave both empty'],
  [/words\.values/, 'the missing labels, or leave all labels empty'],
  [/\.trait$/, 'a trait'],
];

/**
 * Makes a sentence of a message for people who write files, such as `must start with /`. Complete sentences are kept.
 * @param path empty for the whole survey
 */
export function wordsFor(path: string, message: string, known?: string): string {
  if (/^[A-Z]/.test(message)) return message;
  const findIn = (table: typeof NOUNS) => table.find(([place]) => place.test(path))?.[1];
  const noun = known ?? findIn(NOUNS) ?? 'a value';
  if (/is missing|must not be empty/.test(message)) return `Enter ${noun}.`;
  if (path === '' && message.includes('bytes'))
    return 'The survey is too long. Shorten texts or remove a language.';
  const isTold = /control characters|user name/.test(message);
  return (!isTold && findIn(SENTENCES)) || `The ${noun.replace(/^an? /, '')} ${message.replace(/\.$/, '')}.`;
}

function ofSegment({ path, isKey, message }: Problem): EditProblem {
  const name = String(path[1]);
  const at = (field: 'name' | 'values', words: string) => ({ path: `segments.${name}.${field}`, words });
  if (isKey && name.trim() === '') return at('name', 'Enter a name.');
  // See `keyedRows`.
  if (isKey && name.endsWith(' '))
    return at('name', 'Another breakdown has this name. Enter a different one.');
  const field = isKey || /^must have (another|the) name/.test(message) ? 'name' : 'values';
  return at(
    field,
    wordsFor('segments', message, isKey ? 'a name' : path.length > 2 ? 'a value' : 'a breakdown'),
  );
}

type Texts = readonly (readonly [string, string | undefined])[];

const endsOf = (
  { endLabels }: { readonly endLabels?: SurveyTexts['endLabels'] | undefined },
  within: string,
): Texts => [
  [`${within}endLabels.low`, endLabels?.low],
  [`${within}endLabels.high`, endLabels?.high],
];

const textsOf = ({ thanks, words, ...texts }: SurveyTexts, within = ''): Texts => [
  ...endsOf(texts, within),
  ...thanksList(thanks).flatMap(({ text, link }, at) => {
    const place = `${within}thanks${Array.isArray(thanks) ? `[${at}]` : ''}`;
    return [[`${place}.text`, text] as const, [`${place}.link.label`, link?.label] as const];
  }),
  ...(words?.values ?? []).map((text, at) => [`${within}words.values[${at}]`, text] as const),
];

/** A file may leave these texts empty, but in the editor that is a mistake. */
function emptyTexts(survey: WrittenSurvey): string[] {
  const { targeting = [], endLabels, thanks, words, questions = [], locales = {} } = survey;
  const texts: Texts = [
    ...targeting.map(({ trait }, at) => [`targeting[${at}].trait`, trait] as const),
    ...textsOf({ ...(endLabels && { endLabels }), ...(thanks && { thanks }), ...(words && { words }) }),
    ...questions.flatMap((question, at) => endsOf(question, `questions[${at}].`)),
    ...Object.entries(locales).flatMap(([tag, own]) => [
      ...textsOf(own, `locales.${tag}.`),
      ...Object.entries(own.questions ?? {}).flatMap(([id, each]) =>
        endsOf(each, `locales.${tag}.questions.${id}.`),
      ),
    ]),
  ];
  return texts.flatMap(([path, text]) => (text?.trim() === '' ? [path] : []));
}

export function problemsIn(survey: WrittenSurvey, { base, taken }: Surroundings): EditProblem[] {
  const read = surveyOfFile.safeParse(survey, { error: explain });
  const found = (read.error?.issues ?? []).flatMap(problemsOf).map((problem): EditProblem => {
    const path = pathText(problem.path);
    if (problem.path[0] === 'segments' && problem.path.length > 1) return ofSegment(problem);
    return { path, words: wordsFor(path, problem.message) };
  });
  for (const path of emptyTexts(survey)) found.push({ path, words: wordsFor(path, 'is missing') });
  if (base === undefined && taken.includes(survey.slug))
    found.push({ path: 'slug', words: 'Another survey has this name. Choose a different one.' });
  if (read.success) {
    const unfit = unfitIn(toDraft(read.data), base && { content: base });
    found.push(...unfit.map(({ path, message }) => ({ path, words: wordsFor(path, message) })));
  }
  return found;
}
