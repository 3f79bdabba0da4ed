/** Reasons and choices while someone types them: labels with codes that never change once they are stored. */

import { stickyHash } from '../../../shared/domain/surveys/sticky-hash.ts';
import type { SurveyChoice, SurveyReason } from '../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';

export type CodedField = 'reasons' | 'choices';
type Codes = Pick<WrittenSurvey, CodedField>;

const ONE: Readonly<Record<CodedField, string>> = { reasons: 'reason', choices: 'choice' };
const LONGEST = 28;

const listOf = (field: CodedField, { [field]: list = [] }: Codes): readonly SurveyChoice[] => list;

const put = <Value>(field: CodedField, value: Value) =>
  field === 'reasons' ? { reasons: value } : { choices: value };

/** A code that leaves out letters of its label has a hash of it, so that another label never gets the same code. */
function codeFor(one: string, label: string, taken: readonly string[]): string {
  const letters = label.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const plain = letters.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  const isWhole = plain.length <= LONGEST && !/[^a-z0-9\s.,;:!?'’"“”()/&…–—-]/.test(letters);
  const hash = stickyHash(label, '').toString(36);
  const wanted = isWhole ? plain || one : `${plain.slice(0, 20) || one}-${hash}`;
  let code = wanted;
  for (let count = 2; taken.includes(code) || code in {}; count++) code = `${wanted}-${count}`;
  return code;
}

/** @param codeOf the new code of an entry, whose translations move along */
export function withCodes(
  survey: WrittenSurvey,
  field: CodedField,
  next: readonly SurveyChoice[],
  codeOf = (code: string) => code,
) {
  const codes = new Set(next.map(({ code }) => code));
  const locales = Object.entries(survey.locales ?? {}).map(([tag, texts]) => {
    const kept = Object.entries(texts[field] ?? {})
      .map(([code, label]) => [codeOf(code), label] as const)
      .filter(([code]) => codes.has(code));
    return [tag, { ...texts, ...put(field, Object.fromEntries(kept)) }] as const;
  });
  return {
    ...put(field, [...next]),
    ...(locales.length > 0 && { locales: Object.fromEntries(locales) }),
  };
}

type Coded = readonly SurveyReason[];
const codesIn = (list: Coded = []): string[] => list.map(({ code }) => code);

/** The code of an entry that the draft removed stays taken, because responses have it. */
export const addedTo = <Entry extends SurveyReason>(
  list: readonly Entry[],
  stored?: Coded,
  one = 'choice',
) => [...list, { code: codeFor(one, '', [...codesIn(list), ...codesIn(stored)]), label: '' }];

/** Changes parts of an entry. Its code follows its label until it is stored. */
export function changedAt(
  list: readonly SurveyChoice[],
  stored: Coded | undefined,
  at: number,
  part: Partial<Omit<SurveyChoice, 'code'>>,
  one = 'choice',
) {
  const { code: before = '', label = '', ...others } = { ...list[at], ...part };
  const known = codesIn(stored);
  const taken = [...codesIn(list.toSpliced(at, 1)), ...known];
  const code = known.includes(before) ? before : codeFor(one, label, taken);
  return {
    next: list.with(at, { code, label, ...others }),
    codeOf: (each: string) => (each === before ? code : each),
  };
}

export const upFrom = <Entry>(list: readonly Entry[], at: number): Entry[] =>
  list.toSpliced(at - 1, 2, ...list.slice(at - 1, at + 1).reverse());

export const withAdded = (survey: WrittenSurvey, base: WrittenSurvey | undefined, field: CodedField) =>
  withCodes(survey, field, addedTo(listOf(field, survey), base?.[field], ONE[field]));

export function withPart(
  survey: WrittenSurvey,
  base: WrittenSurvey | undefined,
  field: CodedField,
  at: number,
  part: Partial<Omit<SurveyChoice, 'code'>>,
) {
  const { next, codeOf } = changedAt(listOf(field, survey), base?.[field], at, part, ONE[field]);
  return withCodes(survey, field, next, codeOf);
}

export const withoutEntry = (survey: WrittenSurvey, field: CodedField, at: number) =>
  withCodes(survey, field, listOf(field, survey).toSpliced(at, 1));

export const movedUp = (survey: WrittenSurvey, field: CodedField, at: number) =>
  withCodes(survey, field, upFrom(listOf(field, survey), at));

/** Removes translations without an entry. */
export function fittingLabels(survey: WrittenSurvey) {
  const patch = withCodes(survey, 'reasons', listOf('reasons', survey));
  return { ...patch, ...withCodes({ ...survey, ...patch }, 'choices', listOf('choices', survey)) };
}
