/** Fixed results of a quarter, for pictures. */

import { createDice } from '../../../../local/demo/demo-answers.ts';
import type { Comment, ResultsReply } from '../../../../shared/contract/results-schemas.ts';
import { cutSpan, spanBefore } from '../../../../shared/domain/days.ts';
import { comparedWith } from '../../../../shared/domain/results/difference.ts';
import { computeScore } from '../../../../shared/domain/results/score.ts';

export const PLAYED_AT = '2026-11-23T09:00:00.000Z';

const SURVEY = {
  id: 'sv_1',
  slug: 'recommend',
  type: 'nps',
  question: 'How likely are you to recommend us to a colleague?',
  scale: { min: 0, max: 10 },
} as const;
const PEOPLE_A_WEEK = 70;
const RATINGS = Array.from({ length: 11 }, (_, rating) => rating);

function weekOf(roll: () => number, mood: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (let person = 0; person < PEOPLE_A_WEEK * (0.8 + 0.4 * roll()); person++) {
    const rating = 10 - Math.floor((roll() * (1 - 0.45 * mood)) ** 1.7 * 11);
    counts.set(rating, (counts.get(rating) ?? 0) + 1);
  }
  return counts;
}

const barOf = (counts: ReadonlyMap<number, number>) => ({
  responses: [...counts.values()].reduce((sum, count) => sum + count, 0),
  distribution: RATINGS.map((rating) => ({ rating, count: counts.get(rating) ?? 0 })),
  score: computeScore('nps', counts),
});

function addUp(parts: readonly ReadonlyMap<number, number>[]): Map<number, number> {
  const sum = new Map<number, number>();
  for (const [rating, count] of parts.flatMap((part) => [...part]))
    sum.set(rating, (sum.get(rating) ?? 0) + count);
  return sum;
}

function resultsOf(from: string, to: string, seed: number, mood: number): ResultsReply {
  const roll = createDice(seed);
  const weeks = cutSpan({ from, to }, 'week');
  const counts = weeks.map((_, index) => weekOf(roll, mood + (0.5 * index) / weeks.length));
  const all = barOf(addUp(counts));
  const series = weeks.map((week, index) => ({
    ...week,
    ...barOf(counts[index] ?? new Map()),
    dismissals: 20,
    shows: 150,
  }));
  const shows = all.responses * 2 + 211;
  return {
    ...{ survey: SURVEY, from, to, completeFrom: null, ...all, series },
    ...{ imported: 0, modelRequested: 0, dismissals: 20 * weeks.length, shows },
    ...{ responseRate: all.responses / shows, comments: 214, followUpsRequested: 37, reasons: [] },
  };
}

const comment = (rating: number, text: string, day: string): Comment => ({
  ...{
    id: `${day}-${rating}`,
    rating,
    text,
    answers: null,
    followUpRequested: rating < 5,
    reasons: null,
    respondentId: 'ann',
    at: `${day}T08:00:00.000Z`,
  },
  ...{ contact: rating < 5 ? 'ann@example.com' : null, verified: false, identityKind: 'identified' },
  ...{
    traits: { plan: rating < 5 ? 'free' : 'pro' },
    taskType: null,
    labels: null,
    channel: null,
    choice: null,
    sessionId: null,
    traceId: null,
    source: 'sdk',
  },
});
const COMMENTS = [
  comment(10, 'Support solved it in one mail. Thank you!', '2026-11-22'),
  comment(3, 'Delivery took nine days, and nobody told me why.', '2026-11-21'),
];

export function playedResults(url: URL): object {
  const { pathname, searchParams } = url;
  if (pathname === '/v1/surveys') {
    const survey = {
      ...SURVEY,
      status: 'active',
      responses: 900,
      segments: ['plan'],
      segmentSources: {},
      segmentValues: {},
      reasons: [],
    };
    return { project: { id: 'p', name: 'Fern & Clay', accent: null }, surveys: [survey] };
  }
  if (pathname === '/v1/results/comments') return { comments: COMMENTS };
  if (pathname === '/v1/contacts') {
    const survey = { id: SURVEY.id, slug: SURVEY.slug };
    return { contacts: COMMENTS.slice(1).map((each) => ({ ...each, survey, handled: null })) };
  }
  const [from = '', to = ''] = ['from', 'to'].map((name) => searchParams.get(name) ?? '');
  const now = resultsOf(from, to, 1, 0.45);
  if (searchParams.get('compare') === null) return now;
  const before = spanBefore({ from, to });
  const then = resultsOf(before.from, before.to, 2, 0.15);
  return { ...now, previous: { ...before, ...comparedWith('nps', now, then) } };
}
