/** Results counted by hand from the rows, and as they lie in the table: nothing of the code that counts. */

import type { Item } from '../service/test-table.ts';

type Counts = Record<string, number>;

/** What values of the segments of the model check are coded as. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  plan: ['free', 'pro'],
  model: ['a', 'b'],
  how: ['slack'],
  identityKind: ['identified', 'anon-device', 'anon-conversation'],
};

function toCode(segment: string, value: string | undefined): string {
  if (value === undefined) return 'z';
  const place = CODES[segment]?.indexOf(value) ?? -1;
  return place === -1 ? 'y' : String(place);
}

/** What the answers of a value said: comments and wishes of none, of others, of the first value, of the second. */
const SAID = ['z', 'y', '0', '1', '2'].map((code, index) => [code, '0123456789'.slice(2 * index)] as const);
const saidName = (code: string, which: 0 | 1): string => new Map(SAID).get(code)?.[which] ?? '?';

function add(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

const hasText = ({ text }: Item): boolean => typeof text === 'string' && text.trim() !== '';
/** The declared segments of the model check: a trait, a label and the channel. */
const DECLARED: Readonly<Record<string, (row: Item) => string | undefined>> = {
  plan: ({ traits }) => JSON.parse(traits ?? '{}').plan,
  model: ({ labels }) => labels?.model,
  how: ({ channel }) => channel,
};

/** What somebody took back is a row that says nothing. */
export const isAnswered = ({ type, withdrawn }: Item): boolean => type === 'response' && withdrawn !== true;

/** Reasons of the row's own revision: an older release leaves those of before in the row that it revises. */
const reasonsOf = ({
  reasons,
  revision = 0,
}: Item): readonly { readonly code: string; readonly place: number }[] =>
  reasons !== undefined && (reasons.revision ?? 0) === revision ? reasons.given : [];

interface AskedValue {
  readonly segment: string;
  /** `other` and `null` too. */
  readonly value: string;
}

/** The answers of one value of a segment. */
const ofValue = (rows: readonly Item[], surveyId: string, { segment, value }: AskedValue): Item[] => {
  const isOf = (said: string | undefined) =>
    (said === undefined ? 'null' : CODES[segment]?.includes(said) ? said : 'other') === value;
  return rows.filter((row) => isAnswered(row) && row.surveyId === surveyId && isOf(DECLARED[segment]?.(row)));
};

/** The ids of those that have words. */
export const recountComments = (rows: readonly Item[], surveyId: string, asked: AskedValue): string[] =>
  ofValue(rows, surveyId, asked)
    .filter(hasText)
    .map(({ id }) => String(id));

/** What is replied of the answers of one value of a segment. */
export function recountValue(rows: readonly Item[], surveyId: string, asked: AskedValue) {
  const found = ofValue(rows, surveyId, asked);
  return {
    responses: found.length,
    comments: found.filter(hasText).length,
    followUpsRequested: found.filter(({ followUpRequested }) => followUpRequested === true).length,
    distribution: Array.from({ length: 11 }, (_, rating) => ({
      rating,
      count: found.filter((row) => row.rating === rating).length,
    })),
  };
}

/** The ids of the responses that name a reason. */
export const recountReason = (rows: readonly Item[], surveyId: string, code: string): string[] =>
  rows
    .filter((row) => isAnswered(row) && row.surveyId === surveyId)
    .filter((row) => reasonsOf(row).some((reason) => reason.code === code))
    .map(({ id }) => String(id));

interface Recounted {
  readonly responses: number;
  readonly distribution: readonly { readonly rating: number; readonly count: number }[];
}

/** Everybody's answers on these days. */
export function recountDays(rows: readonly Item[], surveyId: string, from: string, to: string) {
  return rows.filter((row) => {
    const day = String(row.at).slice(0, 10);
    return isAnswered(row) && row.surveyId === surveyId && from <= day && day <= to;
  });
}

export const recounted = (found: readonly Item[]): Recounted => ({
  responses: found.length,
  distribution: Array.from({ length: 11 }, (_, rating) => ({
    rating,
    count: found.filter((row) => row.rating === rating).length,
  })),
});

/** By how much one Net Promoter Score differs from another, with its interval. */
export function recountDifference(one: Recounted, other: Recounted) {
  if (one.responses === 0 || other.responses === 0) return null;
  const [first, second] = [one, other].map(({ responses: n, distribution }) => {
    const countOf = (from: number, to: number) =>
      distribution
        .filter(({ rating }) => rating >= from && rating <= to)
        .reduce((sum, { count }) => sum + count, 0);
    const [up, down] = [countOf(9, 10), countOf(0, 6)];
    const [p, q] = [(up + 0.75) / (n + 3), (down + 0.75) / (n + 3)];
    return { plain: (up - down) / n, figure: p - q, spread: (p + q - (p - q) ** 2) / (n + 3) };
  });
  if (first === undefined || second === undefined) return null;
  const margin = 1.959964 * Math.sqrt(first.spread + second.spread);
  const figure = first.figure - second.figure;
  return {
    value: 100 * (first.plain - second.plain),
    low: Math.max(-200, 100 * (figure - margin)),
    high: Math.min(200, 100 * (figure + margin)),
  };
}

/** Of a survey, by `<day> <counter>`. */
export function recount(rows: readonly Item[], surveyId: string): Counts {
  const counts: Counts = {};
  const survey = rows.find(({ type, id }) => type === 'survey' && id === surveyId);
  // What they are from stands before some names.
  const declared = (survey?.segments ?? []).map(({ name }: Item) => String(name).replace(/^.*:/, ''));
  for (const row of rows) {
    if (row.surveyId !== surveyId) continue;
    const day = String(row.at).slice(0, 10);
    if (row.type === 'dismissal') add(counts, `${day} dismissals`);
    if (!isAnswered(row)) continue;
    add(counts, `${day} r${row.rating}`);
    if (row.source === 'import') add(counts, `${day} imported`);
    if (hasText(row)) add(counts, `${day} comments`);
    if (row.followUpRequested === true) add(counts, `${day} followUps`);
    for (const { place } of reasonsOf(row)) add(counts, `${day} w${place}`);
    const rating = row.rating === 10 ? 'X' : String(row.rating);
    const ofSegment = (segment: string, code: string) => {
      add(counts, `${segment} ${day} ${rating}${code}`);
      add(counts, `${segment} ${day} by`);
      if (hasText(row)) add(counts, `${segment} ${day} ${saidName(code, 0)}`);
      if (row.followUpRequested === true) add(counts, `${segment} ${day} ${saidName(code, 1)}`);
    };
    ofSegment('identityKind', toCode('identityKind', row.identityKind));
    for (const segment of declared) ofSegment(segment, toCode(segment, DECLARED[segment]?.(row)));
  }
  return counts;
}

/** The same as it was counted, without what is zero: the generation that is shown. */
export function shownResults(rows: readonly Item[], surveyId: string): Counts {
  const counts: Counts = {};
  const total = rows.find(({ sk }) => sk === `TOTAL#SURVEY#${surveyId}`);
  const shown = total?.generations?.shown ?? 0;
  for (const { pk, sk, type, ...counters } of rows) {
    if (type !== 'result' || !String(sk).startsWith(surveyId)) continue;
    const [, generation = '0', segment, day] =
      /^[^#~!]+(?:!(\d+))?(?:~([^#]+))?#(.+)$/.exec(String(sk)) ?? [];
    if (generation !== String(shown)) continue;
    const place = segment === undefined ? day : `${segment} ${day}`;
    for (const [name, count] of Object.entries(counters)) {
      if (count !== 0) counts[`${place} ${name}`] = Number(count);
    }
  }
  return counts;
}
