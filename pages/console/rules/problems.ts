/** Finds problems by the rules of `survey apply`. */

import { surveyOfFile, toDraft } from '../../../shared/contract/survey-file.ts';
import {
  explain,
  type Problem,
  pathText,
  problemsOf,
} from '../../../shared/contract/survey-file-problems.ts';
import { MOST_TIMES } from '../../../shared/domain/surveys/conditions.ts';
import type { SurveyTexts } from '../../../shared/domain/surveys/survey.ts';
import { unsafeLinks } from '../../../shared/domain/surveys/survey-rules.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { wordsOfField } from './field-words.ts';

export interface EditProblem {
  /** A path such as `reasons[0].label`. */
  readonly path: string;
  readonly words: string;
}

interface Surroundings {
  readonly base?: WrittenSurvey | undefined;
  readonly taken: readonly string[];
}

const LINK = 'A link must start with https://';
const FILL_IN = 'Fill this in.';

/** Messages for the editor, by path. They replace messages for people who write files. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^slug$/, 'Use up to 64 lowercase letters, digits, and hyphens. Start with a letter or a digit.'],
  [/^question$/, 'Write the question.'],
  [/link\.url$/, LINK],
  [/\.code$/, 'Use up to 32 lowercase letters, digits, and hyphens. Each code must be unique.'],
  [/^locales\.[^.]+$/, 'This is not a language tag. Use one such as de or pt-BR.'],
  [/^(starts|ends)At$/, 'Enter a date and a time. The end must be after the start.'],
  [/^repeat/, 'Enter a number and a unit, from 1 second to 100 years.'],
  [/^limits\.quietPeriod$/, 'Enter a number and a unit.'],
  [/^on\.event$/, 'Use up to 64 lowercase letters, digits, and hyphens. Start with a letter.'],
  [/^on\.after$/, 'Enter a number and a unit, from 1 second to 1 day.'],
  [/^on\.times$/, `Enter a whole number from 1 to ${MOST_TIMES}.`],
  [/^delayMs$/, 'Enter a number of seconds.'],
  [/^(priority|limits\.maxResponses)$/, 'Enter a whole number.'],
  [/^samplePercent$/, 'Enter a percentage from 0 to 100.'],
];

function ofSegment({ path, isKey, message }: Problem): EditProblem {
  const at = (field: 'name' | 'values', words: string) => ({
    path: `segments.${String(path[1])}.${field}`,
    words,
  });
  if (message.startsWith('taskType')) return at('name', 'This name is reserved for the task type.');
  if (message.includes('as a label'))
    return at('name', 'Use lowercase letters, digits, and hyphens for a label. Start with a letter.');
  if (isKey && message.includes('every survey'))
    return at('name', 'Every survey already has this breakdown.');
  if (isKey)
    return at(
      'name',
      'Enter a unique name of up to 64 letters, digits, and the characters _ . and -. Start with a letter.',
    );
  if (message.includes('must have a value')) return at('values', 'List the values, separated by commas.');
  if (message.includes('no channel'))
    return at('values', 'Use lowercase letters, digits, and hyphens for a channel.');
  return at('values', `A value ${message.replace(/\.$/, '')}.`);
}

/** @param path empty for the whole survey */
function wordsFor(path: string, message: string): string {
  if (message.includes('is missing') || message.includes('must not be empty')) {
    return path === 'question' ? 'Write the question.' : FILL_IN;
  }
  const own = WORDS.find(([place]) => place.test(path))?.[1];
  if (own !== undefined) return own;
  if (path === '' && message.includes('bytes'))
    return 'The survey is too long. Shorten texts or remove a language.';
  const said = message.replace(/\.$/, '');
  return path === '' ? `The survey ${said}.` : `${wordsOfField(path)} ${said}.`;
}

type Texts = readonly (readonly [string, string | undefined])[];

const textsOf = ({ endLabels, thanks, words }: SurveyTexts, within = ''): Texts => [
  [`${within}endLabels.low`, endLabels?.low],
  [`${within}endLabels.high`, endLabels?.high],
  [`${within}thanks.text`, thanks?.text],
  [`${within}thanks.link.label`, thanks?.link?.label],
  ...(words?.values ?? []).map((text, at) => [`${within}words.values[${at}]`, text] as const),
];

/** A file may leave these texts empty, but in the editor that is a mistake. */
function emptyTexts({ targeting = [], endLabels, thanks, words, locales = {} }: WrittenSurvey): string[] {
  const texts: Texts = [
    ...targeting.map(({ trait }, at) => [`targeting[${at}].trait`, trait] as const),
    ...textsOf({ ...(endLabels && { endLabels }), ...(thanks && { thanks }), ...(words && { words }) }),
    ...Object.entries(locales).flatMap(([tag, own]) => textsOf(own, `locales.${tag}.`)),
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
  for (const path of emptyTexts(survey)) found.push({ path, words: FILL_IN });
  if (base === undefined && taken.includes(survey.slug))
    found.push({ path: 'slug', words: 'Another survey has this name. Choose a different one.' });
  if (read.success) {
    for (const { path } of unsafeLinks(toDraft(read.data).content, base)) found.push({ path, words: LINK });
  }
  return found;
}
