/** Questions while someone types them. Translations move along with the id of their question. */

import type { QuestionKind } from '../../../shared/domain/answers/answer.ts';
import {
  hasScale,
  type QuestionTexts,
  type SurveyQuestion,
  type SurveyTexts,
  type SurveyType,
  TYPES,
} from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { addedTo } from './coded-labels.ts';

type Texts = NonNullable<SurveyTexts['questions']>;
type Renamed = (id: string, code?: string) => string;
export const FIRST_CHOICES = ['choice', 'choice-2'].map((code) => ({ code, label: '' }));

function fittingTexts(
  questions: readonly SurveyQuestion[],
  texts: Texts,
  idOf: Renamed,
  codeOf: Renamed,
): Texts {
  const kept = Object.entries(texts).flatMap(([id, { choices = {}, endLabels, text }]) => {
    const question = questions.find((each) => each.id === idOf(id));
    if (question === undefined) return [];
    const codes = new Set(question.choices?.map(({ code }) => code));
    const labels = Object.entries(choices).map(([code, label]) => [codeOf(id, code), label] as const);
    const own = labels.filter(([code]) => codes.has(code));
    const fitting: QuestionTexts = {
      ...(text !== undefined && { text }),
      ...(own.length > 0 && { choices: Object.fromEntries(own) }),
      ...(question.kind === 'scale' && endLabels !== undefined && { endLabels }),
    };
    return [[question.id, fitting] as const];
  });
  return Object.fromEntries(kept);
}

/** Removes translations without a question. */
export function withQuestions(
  survey: WrittenSurvey,
  questions: readonly SurveyQuestion[] = survey.questions ?? [],
  idOf: Renamed = (id) => id,
  codeOf: Renamed = (_, code = '') => code,
) {
  const locales = Object.entries(survey.locales ?? {}).map(
    ([tag, { questions: texts = {}, ...others }]) =>
      [tag, { ...others, questions: fittingTexts(questions, texts, idOf, codeOf) }] as const,
  );
  return {
    questions: [...questions],
    ...(locales.length > 0 && { locales: Object.fromEntries(locales) }),
  };
}

/** The id of a question that the draft removed stays taken, because answers have it. */
export function withQuestion(survey: WrittenSurvey, base: WrittenSurvey | undefined) {
  const { questions = [] } = survey;
  const [listed, stored = []] = [questions, base?.questions].map((list) =>
    list?.map(({ id }) => ({ code: id, label: '' })),
  );
  const id = addedTo(listed ?? [], stored, 'question').at(-1)?.code ?? '';
  const added: SurveyQuestion = { id, kind: 'one', text: '', choices: FIRST_CHOICES };
  return withQuestions(survey, [...questions, added]);
}

/** @param codeOf the new code of a choice */
export function changedQuestion(
  survey: WrittenSurvey,
  at: number,
  next: SurveyQuestion,
  codeOf = (code: string) => code,
) {
  const { questions = [] } = survey;
  const before = questions[at]?.id;
  return withQuestions(
    survey,
    questions.with(at, next),
    (id) => (id === before ? next.id : id),
    (id, code = '') => (id === before ? codeOf(code) : code),
  );
}

export function ofKind(
  { choices = FIRST_CHOICES, ...question }: SurveyQuestion,
  kind: QuestionKind,
): SurveyQuestion {
  const { min = 1, max = 5, endLabels, ...others } = question;
  return {
    ...{ ...others, kind },
    ...((kind === 'one' || kind === 'many') && { choices }),
    ...(kind === 'scale' && { min, max, ...(endLabels && { endLabels }) }),
  };
}

export function askedAfter({ ratings: _, ...question }: SurveyQuestion, ratings: number[]): SurveyQuestion {
  return { ...question, ...(ratings.length > 0 && { ratings }) };
}

/** A condition on ratings that the type does not have would be invalid. */
export const fittingQuestions = (survey: WrittenSurvey, type: SurveyType) =>
  survey.questions?.map((question) => {
    const { min, max } = TYPES[type].scale;
    const fits = question.ratings?.every((rating) => hasScale(type) && rating >= min && rating <= max);
    return fits === false ? askedAfter(question, []) : question;
  });
