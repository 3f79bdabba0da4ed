/** Ratings, segments and retention periods in words. */

import type { ResultsReply } from '../../shared/contract/results-schemas.ts';
import type { Share } from '../../shared/domain/results/score.ts';
import { IDENTITY_SEGMENT, NO_VALUE, OTHER_VALUE } from '../../shared/domain/surveys/segments.ts';
import { isWorded, type SurveyType, TYPES } from '../../shared/domain/surveys/survey.ts';
import { TYPE_TEXTS } from '../type-texts.ts';
import { counted, formatShare, writeDay } from './figures.ts';

export type Tone = 'low' | 'middle' | 'high';

/** Ratings of one tone. */
export interface Part {
  readonly tone: Tone;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The code of a choice, which is a part of its own. */
  readonly code?: string;
}

/** Only choices need more than the type. */
export type Rated = SurveyType | Pick<ResultsReply['survey'], 'type' | 'choices'>;

const typeOf = (of: Rated): SurveyType => (typeof of === 'string' ? of : of.type);

/** The parts, lowest first. Choices are in the survey's order. */
export function partsOf(of: Rated): readonly Part[] {
  if (typeof of !== 'string' && of.choices !== undefined)
    return of.choices.map(({ code, label, low, rating }) => ({
      ...{ tone: low ? 'low' : 'middle', name: label, from: rating, to: rating, code },
    }));
  const type = typeOf(of);
  const { scale, low, high } = TYPES[type];
  const spans: readonly Omit<Part, 'name'>[] = [
    { tone: 'low', from: scale.min, to: low },
    { tone: 'middle', from: low + 1, to: high - 1 },
    { tone: 'high', from: high, to: scale.max },
  ];
  return spans
    .filter(({ from, to }) => from <= to)
    .map((span, at) => ({ ...span, name: TYPE_TEXTS[type].parts[at] ?? '' }));
}

/** Labels of the ends of the axis; undefined if each rating has its own word. */
export const endWords = (type: SurveyType): readonly [low: string, high: string] | undefined =>
  isWorded(type) ? undefined : TYPE_TEXTS[type].ends;

export const partOf = (of: Rated, rating: number): Part | undefined =>
  partsOf(of).find(({ from, to }) => from <= rating && rating <= to);

export const toneOf = (of: Rated, rating: number): Tone => partOf(of, rating)?.tone ?? 'middle';

/** The low ratings, such as `0 to 6`, or the word for them. */
export function lowWords(type: SurveyType): string {
  const [{ name, from, to } = { name: '', from: 0, to: 0 }] = partsOf(type);
  return from === to ? name.toLowerCase() : `${from} to ${to}`;
}

/** The rating's word or number, or the label of the choice. Empty for answers to open questions. */
export function wordOf(of: Rated, rating: number): string {
  const type = typeOf(of);
  if (type === 'open') return '';
  return ((isWorded(type) || type === 'choice') && partOf(of, rating)?.name) || String(rating);
}

const MOST_NAMED = 3;

/** The choices with the most responses. Empty for other surveys. */
export function mostChosen(
  distribution: readonly {
    readonly label?: string | undefined;
    readonly count: number;
    readonly share?: Share | null | undefined;
  }[],
): string {
  const chosen = distribution.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  const named = chosen.flatMap(({ label, share }) =>
    label === undefined || !share ? [] : [`${label} ${formatShare(share.value / 100)}`],
  );
  return named.length === 0 ? '' : `Most chosen: ${named.slice(0, MOST_NAMED).join(', ')}`;
}

const NAMES: Readonly<Record<string, string>> = { [IDENTITY_SEGMENT]: 'identity', taskType: 'task type' };

const KINDS: Readonly<Record<string, string>> = {
  identified: 'identified',
  'anon-device': 'anonymous, by device',
  'anon-conversation': 'anonymous, by conversation',
};

export const segmentName = (name: string): string => NAMES[name] ?? name;

/** @param value null for responses without one */
export function valueWords(name: string, value: string | null): string {
  if (value === null) return 'not given';
  return (name === IDENTITY_SEGMENT && KINDS[value]) || value;
}

export interface OfferedValue {
  readonly value: string;
  readonly words: string;
}

/** The declared values, followed by "other" and "none". */
export function offeredValues(name: string, declared: readonly string[]): readonly OfferedValue[] {
  const all = [...declared, ...[OTHER_VALUE, NO_VALUE].filter((value) => !declared.includes(value))];
  return all.map((value) => {
    const isNone = value === NO_VALUE && !declared.includes(value);
    return { value, words: valueWords(name, isNone ? null : value) };
  });
}

/** Replies of earlier releases, which may answer during a deployment, omit these fields. */
interface Kept {
  readonly keeps?: string | null | undefined;
  readonly completeFrom?: string | null | undefined;
}

/** See docs/contract.md §11.7. Empty if responses are kept forever and none were deleted. */
export function keptWords({ keeps, completeFrom }: Kept): string {
  const kept = keeps && `Responses are kept for ${keeps.replace('mo', ' months').replace('d', ' days')}`;
  if (!completeFrom) return kept ? `${kept}.` : '';
  return `${kept ? `${kept}. Those` : 'Responses'} before ${writeDay(completeFrom)} were deleted, but the numbers include them.`;
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  active: 'The survey is active. Responses appear here within seconds.',
  draft: 'The survey is a draft. People see it after it is published.',
};

/** Describes a period without responses. */
export function silenceWords(
  { status = 'not active', responses = 0 }: { readonly status?: string; readonly responses?: number } = {},
  { shows, dismissals }: { readonly shows: number | null; readonly dismissals: number | null },
): string {
  const seen =
    shows === null || dismissals === null
      ? ''
      : `The survey had ${counted(shows, 'impression')} and ${counted(dismissals, 'dismissal')}. `;
  if (responses > 0)
    return `${seen}There ${responses === 1 ? 'is' : 'are'} ${counted(responses, 'response')} outside this period.`;
  return seen + (STATUS_WORDS[status] ?? `The survey is ${status}, so people do not see it.`);
}
