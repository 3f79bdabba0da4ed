import { plainThanks, ratedThanks, thanksOf } from '../../../shared/domain/surveys/by-rating.ts';
import {
  type DeclaredSegments,
  declareAs,
  declaredSource,
  type SegmentSource,
  valuesOf,
} from '../../../shared/domain/surveys/segments.ts';
import {
  type SurveyTexts,
  type SurveyThanks,
  type SurveyType,
  type SurveyWords,
  type TargetingRule,
  TYPES,
} from '../../../shared/domain/surveys/survey.ts';

type Operand = NonNullable<TargetingRule['value']>;
type Scalar = string | number | boolean | null;

const isAmbiguous = (text: string): boolean => readScalar(text) !== text || /^".*"$|[,]/.test(text);

/** `10` is a number, `true` a boolean, and `pro` and `"10"` are texts. */
function readScalar(typed: string): Scalar {
  const text = typed.trim();
  const quoted = /^"(.*)"$/s.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

const partsOf = (typed: string): string[] =>
  (typed.match(/("[^"]*"|[^,])+/g) ?? []).map((part) => part.trim()).filter((part) => part !== '');

export function readOperand(op: TargetingRule['op'], typed: string): Operand | undefined {
  if (typed.trim() === '') return undefined;
  return op === 'in' ? partsOf(typed).map(readScalar) : (readScalar(typed) ?? undefined);
}

const readList = (typed: string): string[] =>
  partsOf(typed).map((part) => /^"(.*)"$/s.exec(part)?.[1] ?? part);

const writeList = (texts: readonly string[]): string =>
  texts.map((text) => (/^".*"$|,/s.test(text) ? `"${text}"` : text)).join(', ');

const writeScalar = (value: Scalar): string =>
  typeof value === 'string' && isAmbiguous(value) ? `"${value}"` : String(value);

export const writeOperand = (value: TargetingRule['value']): string =>
  value === undefined ? '' : [value].flat().map(writeScalar).join(', ');

/** One label per rating, lowest first. */
export function spreadLabels(type: SurveyType, values: readonly string[] = []): string[] {
  const { min, max } = TYPES[type].scale;
  const count = max - min + 1;
  const isOfEnds = values.length === 2 && count > 2;
  return Array.from({ length: count }, (_, at) =>
    isOfEnds ? ((at === 0 ? values[0] : at === count - 1 ? values[1] : '') ?? '') : (values[at] ?? ''),
  );
}

/** A pair for the two ends stays a pair until a rating between them has a label. */
export function typedLabel(type: SurveyType, words: SurveyWords = {}, at: number, text = ''): SurveyWords {
  const { values: before, ...others } = words;
  const next = spreadLabels(type, before).map((each, place) => (place === at ? text : each));
  if (next.every((each) => each === '')) return others;
  const isOfEnds = before?.length === 2 && next.slice(1, -1).every((each) => each === '');
  return { ...others, values: isOfEnds ? [next[0] ?? '', next.at(-1) ?? ''] : next };
}

export function typedEnd(ends: SurveyTexts['endLabels'], side: 'low' | 'high', text = '') {
  const next = { low: ends?.low ?? '', high: ends?.high ?? '', [side]: text };
  return next.low === '' && next.high === '' ? undefined : next;
}

export interface ThanksPart {
  readonly text?: string;
  readonly label?: string;
  readonly url?: string;
}

/** The link exists as long as it has one of its two texts. */
export function typedThanks<Thanks extends SurveyThanks>(
  thanks: Thanks | undefined,
  { text = thanks?.text ?? '', label = thanks?.link?.label ?? '', url = thanks?.link?.url ?? '' }: ThanksPart,
) {
  const { link: _, ...others } = thanks ?? {};
  if (text === '' && label === '' && url === '' && Object.keys(others).length < 2) return undefined;
  return { ...others, text, ...((label !== '' || url !== '') && { link: { label, url } }) };
}

/** Changes the message for all other ratings. */
export const typedPlainThanks = (thanks: SurveyTexts['thanks'], part: ThanksPart) =>
  thanksOf(ratedThanks(thanks), typedThanks(plainThanks(thanks), part));

/** While someone types 2026, the year is 2, 20 and 202. */
const FIRST_YEAR = 1900;

/** @returns empty if the text is not an ISO time */
export function toLocal(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @returns ISO 8601; undefined for an empty field, and `unfinished` while a year is typed */
export function typedTime(typed: string): string | undefined {
  const time = new Date(typed);
  if (Number.isNaN(time.getTime())) return undefined;
  return time.getFullYear() < FIRST_YEAR ? 'unfinished' : time.toISOString();
}

export interface SegmentRow {
  readonly name: string;
  readonly from: SegmentSource;
  readonly values: string;
}

export const segmentRows = (segments: DeclaredSegments = {}): SegmentRow[] =>
  Object.entries(segments).map(([name, declared]) => ({
    name,
    from: declaredSource(name, declared),
    values: writeList(valuesOf(declared)),
  }));

/** A taken name gets a key that the rules refuse, so that its field shows the problem. */
export function keyedRows(rows: readonly SegmentRow[]): (SegmentRow & { readonly key: string })[] {
  const taken = new Set<string>();
  return rows.map((row) => {
    let key = row.name;
    while (taken.has(key)) key += ' ';
    taken.add(key);
    return { ...row, key };
  });
}

export function declaredIn(rows: readonly SegmentRow[]): DeclaredSegments | undefined {
  if (rows.length === 0) return undefined;
  return Object.fromEntries(
    keyedRows(rows).map(({ key, from, values }) => [key, declareAs(key, from, readList(values))]),
  );
}
