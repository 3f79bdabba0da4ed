/** Counts results from the rows, without using any of the service's counting code. */

import type { Item } from '../service/test-table.ts';

type Counts = Record<string, number>;

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

/**
 * Each code has two counters: answers with a comment, and answers that ask to be contacted. The code `z` means no value
 * and `y` means any other value.
 */
const SAID = ['z', 'y', '0', '1', '2'].map((code, index) => [code, '0123456789'.slice(2 * index)] as const);
const saidName = (code: string, which: 0 | 1): string => new Map(SAID).get(code)?.[which] ?? '?';

function add(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

const hasText = ({ text }: Item): boolean => typeof text === 'string' && text.trim() !== '';
const DECLARED: Readonly<Record<string, (row: Item) => string | undefined>> = {
  plan: ({ traits }) => JSON.parse(traits ?? '{}').plan,
  model: ({ labels }) => labels?.model,
  how: ({ channel }) => channel,
};

export const isAnswered = ({ type, withdrawn }: Item): boolean => type === 'response' && withdrawn !== true;

/** A revision by an older release keeps the reasons of the earlier revision. */
const reasonsOf = ({
  reasons,
  revision = 0,
}: Item): readonly { readonly code: string; readonly place: number }[] =>
  reasons !== undefined && (reasons.revision ?? 0) === revision ? reasons.given : [];

interface AskedValue {
  readonly segment: string;
  /** May also be `other` or `null`. */
  readonly value: string;
}

const ofValue = (rows: readonly Item[], surveyId: string, { segment, value }: AskedValue): Item[] => {
  const isOf = (said: string | undefined) =>
    (said === undefined ? 'null' : CODES[segment]?.includes(said) ? said : 'other') === value;
  return rows.filter((row) => isAnswered(row) && row.surveyId === surveyId && isOf(DECLARED[segment]?.(row)));
};

export const recountComments = (rows: readonly Item[], surveyId: string, asked: AskedValue): string[] =>
  ofValue(rows, surveyId, asked)
    .filter(hasText)
    .map(({ id }) => String(id));

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

export const recountReason = (rows: readonly Item[], surveyId: string, code: string): string[] =>
  rows
    .filter((row) => isAnswered(row) && row.surveyId === surveyId)
    .filter((row) => reasonsOf(row).some((reason) => reason.code === code))
    .map(({ id }) => String(id));

interface Recounted {
  readonly responses: number;
  readonly distribution: readonly { readonly rating: number; readonly count: number }[];
}

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

export function recount(rows: readonly Item[], surveyId: string): Counts {
  const counts: Counts = {};
  const survey = rows.find(({ type, id }) => type === 'survey' && id === surveyId);
  // Names of traits and labels have a prefix.
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
