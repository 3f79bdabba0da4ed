/** What is wrong with an edited survey: found by the rules of `survey apply`, said as its author would say it. */

import { surveyOfFile, toDraft } from '../../../shared/contract/survey-file.ts';
import {
  explain,
  type Problem,
  pathText,
  problemsOf,
} from '../../../shared/contract/survey-file-problems.ts';
import { MOST_TIMES } from '../../../shared/domain/surveys/conditions.ts';
import type { SurveyTexts } from '../../../shared/domain/surveys/survey.ts';
import { unsafeLinks } from '../../../shared/domain/surveys/survey-links.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { wordsOfField } from './field-words.ts';

export interface EditProblem {
  /** Where it lies in the survey: `reasons[0].label`. */
  readonly path: string;
  readonly words: string;
}

interface Surroundings {
  /** As it was when editing began; undefined of a new one. */
  readonly base?: WrittenSurvey | undefined;
  /** Slugs of the project's surveys. */
  readonly taken: readonly string[];
}

const LINK = 'A link begins with https://';
const FILL_IN = 'Please fill this in.';

/** By the end of the path, where the rule's own words are for people who write files. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^slug$/, 'Use small letters, digits and hyphens, at most 64; begin with a letter or a digit.'],
  [/^question$/, 'Write the question.'],
  [/link\.url$/, LINK],
  [/\.code$/, 'Use small letters, digits and hyphens, at most 32, each code once.'],
  [/^locales\.[^.]+$/, 'This is no language: write it as de or pt-BR.'],
  [/^(starts|ends)At$/, 'Give a date and a time; the end comes after the beginning.'],
  [/^repeat/, 'Give a number and a unit, from one second to a hundred years.'],
  [/^limits\.quietPeriod$/, 'Give a number and a unit.'],
  [/^on\.event$/, 'Use small letters, digits and hyphens, at most 64; begin with a letter.'],
  [/^on\.after$/, 'Give a number and a unit, from one second to a day.'],
  [/^on\.times$/, `Give a whole number from 1 to ${MOST_TIMES}.`],
  [/^delayMs$/, 'Give a number of seconds.'],
  [/^priority$/, 'Give a whole number.'],
  [/^limits\.maxResponses$/, 'Give a whole number.'],
  [/^samplePercent$/, 'Give a share from 0 to 100.'],
];

/** Of a segment both name and values are typed: which of them is it, and in which words. */
function ofSegment({ path, isKey, message }: Problem): EditProblem {
  const name = `segments.${String(path[1])}`;
  if (message.startsWith('taskType'))
    return { path: `${name}.name`, words: 'This name is of the task type alone.' };
  if (message.includes('as a label'))
    return {
      path: `${name}.name`,
      words: 'A label has small letters, digits and hyphens, and begins with a letter.',
    };
  if (isKey && message.includes('every survey'))
    return { path: `${name}.name`, words: 'Every survey is told apart by this anyway.' };
  if (isKey)
    return {
      path: `${name}.name`,
      words: 'Give a name, each once: a letter, then letters, digits, _ . or -, at most 64.',
    };
  const said = message.replace(/\.$/, '');
  return {
    path: `${name}.values`,
    words: message.includes('must have a value')
      ? 'List the values, with commas between them.'
      : message.includes('no channel')
        ? 'A channel has small letters, digits and hyphens.'
        : `A value ${said}.`,
  };
}

/** @param path of the issue; empty where a rule is about the whole survey */
function wordsFor(path: string, message: string): string {
  if (message.includes('is missing') || message.includes('must not be empty')) {
    return path === 'question' ? 'Write the question.' : FILL_IN;
  }
  const own = WORDS.find(([place]) => place.test(path))?.[1];
  if (own !== undefined) return own;
  if (path === '' && message.includes('bytes'))
    return 'The survey is too long: shorten texts, or take out a language.';
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

/** Texts that a file may leave empty, and nobody means to. */
function emptyTexts({ targeting = [], endLabels, thanks, words, locales = {} }: WrittenSurvey): string[] {
  const texts: Texts = [
    ...targeting.map(({ trait }, at) => [`targeting[${at}].trait`, trait] as const),
    ...textsOf({ ...(endLabels && { endLabels }), ...(thanks && { thanks }), ...(words && { words }) }),
    ...Object.entries(locales).flatMap(([tag, own]) => textsOf(own, `locales.${tag}.`)),
  ];
  return texts.flatMap(([path, text]) => (text?.trim() === '' ? [path] : []));
}

/** Every problem, in the order of the form's fields; empty where the survey can be stored. */
export function problemsIn(survey: WrittenSurvey, { base, taken }: Surroundings): EditProblem[] {
  const read = surveyOfFile.safeParse(survey, { error: explain });
  const found = (read.error?.issues ?? []).flatMap(problemsOf).map((problem): EditProblem => {
    const path = pathText(problem.path);
    if (problem.path[0] === 'segments' && problem.path.length > 1) return ofSegment(problem);
    return { path, words: wordsFor(path, problem.message) };
  });
  for (const path of emptyTexts(survey)) found.push({ path, words: FILL_IN });
  if (base === undefined && taken.includes(survey.slug))
    found.push({ path: 'slug', words: 'Another survey has this name. Choose another one.' });
  if (read.success) {
    for (const { path } of unsafeLinks(toDraft(read.data).content, base)) found.push({ path, words: LINK });
  }
  return found;
}
