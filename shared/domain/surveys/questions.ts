/**
 * Up to three questions after the rating (docs/contract.md §6.12). An answer stores which questions its rating asked, so
 * counting depends on the answer alone.
 */

import type { AnswerValue, GivenAnswer } from '../answers/answer.ts';
import { dayAt } from '../days.ts';
import { MOST_CHOICES } from './choices.ts';
import {
  CODE,
  hasScale,
  type KnownQuestion,
  type QuestionTexts,
  type Survey,
  type SurveyContent,
  type SurveyQuestion,
  type SurveyReason,
  type SurveyTexts,
  TYPES,
} from './survey.ts';

export const MOST_QUESTIONS = 3;
/** Includes questions that are no longer listed. */
export const MOST_QUESTIONS_EVER = 6;
export const MOST_CODES_EVER = 16;
/** The limit counts code points. */
export const ANSWER_CHARACTERS = 1_000;

type Questions = Pick<Survey, 'questionsEver'> & { readonly content: Pick<SurveyContent, 'questions'> };

const hasCodes = ({ kind }: Pick<SurveyQuestion, 'kind'>): boolean => kind === 'one' || kind === 'many';

const codesAfter = (known: readonly SurveyReason[] = [], listed: readonly SurveyReason[] = []) => [
  ...new Map([...known, ...listed].map((choice) => [choice.code, choice])).values(),
];

/** All questions that the survey ever had, oldest first, each with all its choices. Places never change. */
export function knownQuestions({
  content: { questions = [] },
  questionsEver = [],
}: Questions): KnownQuestion[] {
  const known = new Map(questionsEver.map((question) => [question.id, question]));
  for (const question of questions) {
    const { choices, reworded } = known.get(question.id) ?? {};
    known.set(question.id, {
      ...question,
      ...(hasCodes(question) && { choices: codesAfter(choices, question.choices) }),
      ...(reworded !== undefined && { reworded }),
    });
  }
  return [...known.values()];
}

const wordsOf = ({ text, choices = [], endLabels }: SurveyQuestion): string =>
  JSON.stringify([text, choices.map(({ label }) => label), endLabels?.low, endLabels?.high]);

/** Notes the day on which a text or a label of a question changed. */
export function questionsAfter(before: Questions, content: SurveyContent, now: number): KnownQuestion[] {
  const known = new Map(knownQuestions(before).map((question) => [question.id, question]));
  return knownQuestions({ content, questionsEver: [...known.values()] }).map((question) => {
    const { choices = [], ...earlier } = known.get(question.id) ?? question;
    const isSame =
      wordsOf({ ...earlier, choices: codesAfter(question.choices, choices) }) === wordsOf(question);
    return isSame ? question : { ...question, reworded: dayAt(now) };
  });
}

/** Results depend on the kind and the scale, so these never change. */
export const isRetyped = (before: SurveyQuestion, after: SurveyQuestion): boolean =>
  before.kind !== after.kind || before.min !== after.min || before.max !== after.max;

export const isAsked = ({ ratings }: Pick<SurveyQuestion, 'ratings'>, rating: number): boolean =>
  ratings?.includes(rating) ?? true;

interface Read {
  readonly value?: AnswerValue;
  readonly codes?: readonly number[];
  /** Paths below the answer. Empty text stands for the answer itself. */
  readonly dropped?: readonly string[];
}

const UNFIT: Read = { dropped: [''] };

function readCodes(sent: readonly unknown[], choices: readonly SurveyReason[]): Read {
  if (sent.length === 0) return { value: null };
  const looked = sent.slice(0, MOST_CHOICES);
  const places = looked.map((code) => choices.findIndex((choice) => choice.code === code));
  const unknown = places.flatMap((place, index) => (place < 0 ? [`.${index}`] : []));
  const dropped = sent.length > looked.length ? [...unknown, ''] : unknown;
  const codes = [...new Set(places)].filter((place) => place >= 0).sort((a, b) => a - b);
  if (codes.length === 0) return { dropped };
  return { value: codes.map((place) => choices[place]?.code ?? ''), codes, dropped };
}

function readText(sent: string): Read {
  const isWithin = sent.length <= ANSWER_CHARACTERS;
  const text = (isWithin ? sent : Array.from(sent).slice(0, ANSWER_CHARACTERS).join('')).toWellFormed();
  if (text.trim() === '') return { value: null };
  return { value: text, dropped: isWithin || text === sent ? [] : [''] };
}

/** Never converts one form into another. */
function readAnswer({ kind, choices = [], min = 0, max = 0 }: KnownQuestion, sent: unknown): Read {
  if (sent === null) return { value: null };
  if (kind === 'many') return Array.isArray(sent) ? readCodes(sent, choices) : UNFIT;
  if (kind === 'scale') {
    const fits = typeof sent === 'number' && Number.isInteger(sent) && sent >= min && sent <= max;
    return fits ? { value: sent + 0 } : UNFIT;
  }
  if (typeof sent !== 'string') return UNFIT;
  if (kind === 'text') return readText(sent);
  const place = choices.findIndex(({ code }) => code === sent);
  return place < 0 ? UNFIT : { value: sent, codes: [place] };
}

/** Ids are bounded, because they are returned. */
const pathOf = (id: string): string => (CODE.test(id) ? `answers.${id}` : 'answers');

type Sent = Readonly<Record<string, unknown>> | undefined;

/** The first ids of the reply, as many as a survey can have. */
const lookedAt = (sent: Sent): string[] => Object.keys(sent ?? {}).slice(0, MOST_QUESTIONS_EVER);

/** False if a newer version of the survey may have what is sent. */
export function knowsAnswers(survey: Questions, rating: number, sent: Sent): boolean {
  const questions = knownQuestions(survey);
  return lookedAt(sent).every((id) => {
    const question = questions.find((each) => each.id === id);
    if (question === undefined || !isAsked(question, rating)) return false;
    return question.kind === 'text' || (readAnswer(question, sent?.[id]).dropped ?? []).length === 0;
  });
}

interface Chosen {
  /** Undefined if the rating asks no question. */
  readonly answers: readonly GivenAnswer[] | undefined;
  readonly dropped: readonly string[];
}

/**
 * Drops and names what does not fit (docs/contract.md §9.1). Questions and codes that are no longer listed are accepted,
 * because the page may be older than the survey.
 * @param asks whether the rating matters: an import accepts what another condition asked
 */
export function chooseAnswers(
  survey: Questions,
  rating: number,
  sent: Sent,
  asks: typeof isAsked = isAsked,
): Chosen {
  const looked = new Set(lookedAt(sent));
  const unknown = new Set(looked);
  const listed = new Set(survey.content.questions?.map(({ id }) => id));
  const dropped: string[] = [];
  // A survey has one question of kind text at a time. Together with removed ones, it could store any number of words.
  const texts = knownQuestions(survey).filter(
    ({ id, kind }) => kind === 'text' && typeof sent?.[id] === 'string',
  );
  const words = texts.find(({ id }) => listed.has(id)) ?? texts[0];
  const answers = knownQuestions(survey).flatMap((question, place): GivenAnswer[] => {
    const { id, kind } = question;
    const isOneText = kind !== 'text' || typeof sent?.[id] !== 'string' || id === words?.id;
    const isGiven = looked.has(id) && isOneText && asks(question, rating);
    const read: Read = isGiven ? readAnswer(question, sent?.[id]) : {};
    if (isGiven) unknown.delete(id);
    dropped.push(...(read.dropped ?? []).map((path) => `answers.${id}${path}`));
    if (read.value === undefined && !(listed.has(id) && isAsked(question, rating))) return [];
    const { value, codes } = read;
    return [
      { id, place, kind, ...(value !== undefined && { value }), ...(codes !== undefined && { codes }) },
    ];
  });
  const isLonger = Object.keys(sent ?? {}).length > looked.size;
  const named = [...dropped, ...[...unknown].map(pathOf), ...(isLonger ? ['answers'] : [])];
  return { answers: answers.length > 0 ? answers : undefined, dropped: [...new Set(named)] };
}

export const translateQuestions = (
  questions: SurveyContent['questions'],
  texts: SurveyTexts['questions'] = {},
): SurveyContent['questions'] =>
  questions?.map(({ choices, ...question }) => {
    const { choices: labels = {}, ...own } = texts[question.id] ?? {};
    const labeled = choices?.map(({ code, label }) => ({ code, label: labels[code] ?? label }));
    return { ...question, ...own, text: own.text ?? question.text, ...(labeled && { choices: labeled }) };
  });

interface QuestionProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const OF_KIND = { choices: 'one or many', min: 'scale', max: 'scale', endLabels: 'scale' } as const;

function problemsOf(question: SurveyQuestion): QuestionProblem[] {
  const { kind, choices = [], min = 0, max = 0 } = question;
  const fields = ['choices', 'min', 'max', 'endLabels'] as const;
  const codes = choices.map(({ code }) => code);
  const found = fields.flatMap((field): QuestionProblem[] => {
    const fits = OF_KIND[field].split(' or ').includes(kind);
    if (!fits && question[field] !== undefined)
      return [{ path: [field], message: `must be absent unless kind is ${OF_KIND[field]}` }];
    const isMissing = fits && field !== 'endLabels' && question[field] === undefined;
    return isMissing ? [{ path: [field], message: `is missing. A question of kind ${kind} needs it` }] : [];
  });
  if (found.length > 0) return found;
  return [
    ...codes.flatMap((code, at) =>
      codes.indexOf(code) < at
        ? [
            {
              path: ['choices', at, 'code'],
              message: 'must not be the code of another choice of this question',
            },
          ]
        : [],
    ),
    ...(kind === 'scale' && min >= max ? [{ path: ['max'], message: 'must be greater than min' }] : []),
  ];
}

export function questionProblems({
  type,
  questions = [],
  locales = {},
}: Pick<SurveyContent, 'type' | 'questions' | 'locales'>): QuestionProblem[] {
  const ids = questions.map(({ id }) => id);
  const { min, max } = TYPES[type].scale;
  const texts = questions.flatMap(({ kind }, at) => (kind === 'text' ? [at] : []));
  const unfitRatings = ({ ratings = [] }: SurveyQuestion): string | undefined => {
    if (!hasScale(type) && ratings.length > 0) return `must be absent with type: ${type}`;
    const isOutside = ratings.some((rating) => rating < min || rating > max);
    return isOutside ? `must have only ratings from ${min} to ${max}` : undefined;
  };
  const own = questions.flatMap((question, at): QuestionProblem[] => {
    const ratings = unfitRatings(question);
    return [
      ...(ids.indexOf(question.id) < at
        ? [{ path: ['id'], message: 'must not be the id of another question of this survey' }]
        : []),
      ...(texts.indexOf(at) > 0 ? [{ path: ['kind'], message: 'must be text in only one question' }] : []),
      ...(ratings === undefined ? [] : [{ path: ['ratings'], message: ratings }]),
      ...problemsOf(question),
    ].map(({ path, message }) => ({ path: ['questions', at, ...path], message }));
  });
  const translated = Object.entries(locales).flatMap(([tag, { questions: given = {} }]) =>
    Object.entries(given).flatMap(([id, { choices = {}, endLabels }]): QuestionProblem[] => {
      const path = ['locales', tag, 'questions', id];
      const question = questions.find((each) => each.id === id);
      if (question === undefined) return [{ path, message: 'must be the id of a question of this survey' }];
      const codes = question.choices?.map(({ code }) => code) ?? [];
      const unknown = Object.keys(choices).filter((code) => !codes.includes(code));
      return [
        ...unknown.map((code) => ({
          path: [...path, 'choices', code],
          message: 'must be the code of a choice of this question',
        })),
        ...(endLabels !== undefined && question.kind !== 'scale'
          ? [{ path: [...path, 'endLabels'], message: 'must be absent unless kind is scale' }]
          : []),
      ];
    }),
  );
  return [...own, ...translated];
}

/** Fields that older releases must not read. They keep the attribute. */
export interface AddedQuestions {
  readonly listed: SurveyQuestion[];
  readonly ever: readonly KnownQuestion[];
  /** By language. */
  readonly texts: Readonly<Record<string, Record<string, QuestionTexts>>>;
}

type Stored = Pick<Survey, 'content' | 'questionsEver'>;

export function splitQuestions({ content, questionsEver }: Stored): {
  readonly known: SurveyContent;
  readonly added: AddedQuestions | undefined;
} {
  const { questions: listed = [], locales, ...texts } = content;
  const ever = knownQuestions({ content, questionsEver });
  if (ever.length === 0) return { known: content, added: undefined };
  const translated = Object.entries(locales ?? {});
  const known = translated.map(([tag, { questions: _, ...others }]) => [tag, others] as const);
  const own = translated.flatMap(([tag, { questions }]) => (questions ? [[tag, questions] as const] : []));
  return {
    known: { ...texts, ...(locales !== undefined && { locales: Object.fromEntries(known) }) },
    added: { listed, ever, texts: Object.fromEntries(own) },
  };
}

/** An older release can add and remove languages. */
export function joinQuestions(known: SurveyContent, added: AddedQuestions | undefined): Stored {
  if (added === undefined) return { content: known };
  const { locales, ...texts } = known;
  const { listed, ever, texts: own } = added;
  const translated = Object.entries(locales ?? {}).map(([tag, each]) => {
    const questions = own[tag];
    return [tag, { ...each, ...(questions !== undefined && { questions }) }] as const;
  });
  return {
    content: {
      ...texts,
      ...(listed.length > 0 && { questions: listed }),
      ...(locales !== undefined && { locales: Object.fromEntries(translated) }),
    },
    questionsEver: ever,
  };
}
