import { describe, expect, it } from 'vitest';
import { callFirst, contents, overview, waitingWords } from '../../../../pages/results/report/cover.ts';
import { type ReportedSurvey, voices } from '../../../../pages/results/report/voices.ts';
import type { Contact } from '../../../../shared/contract/contact-schemas.ts';
import { getResults, listContacts } from '../../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../../shared/contract/results-schemas.ts';

const example = getResults.reply as ResultsReply;
const people = listContacts.reply.contacts as Contact[];
const days = { from: '2026-08-29', to: '2026-11-26' };

/** A satisfaction score of 60 %, compared with the preceding days. */
function scored(value: number, low: number, high: number): ResultsReply {
  const score = { value: 60, low: 55, high: 65, parts: [] };
  return {
    ...example,
    ...days,
    survey: { ...example.survey, type: 'csat' },
    score: { ...example.score, ...score },
    previous: {
      ...days,
      responses: 100,
      score: { ...example.score, ...score, value: 60 - value },
      difference: { value, low, high },
    },
  } as ResultsReply;
}
const sentencesOf = (...surveys: readonly ResultsReply[]) =>
  [...overview(surveys).text.matchAll(/<p class="moved">(.*?)<\/p>/g)].map(([, said = '']) => said);
const wordsOf = (said: string | undefined) => said?.replace(/<[^>]*>/g, '');

describe('the overview of several surveys', () => {
  it('says whether each score went up, went down, or may have moved by chance', () => {
    const [down, up, chance] = sentencesOf(scored(-10, -18, -2), scored(10, 2, 18), scored(-3, -9, 3));
    expect(wordsOf(down)).toBe('▼Down 10.0 points vs. the previous 90 days, very likely a real difference.');
    expect(down).toContain('class="chip down"');
    expect(wordsOf(up)).toBe('▲Up 10.0 points vs. the previous 90 days, very likely a real difference.');
    expect(up).toContain('class="chip up"');
    expect(wordsOf(chance)).toBe('▼Down 3.0 points vs. the previous 90 days, possibly due to chance.');
    expect(chance).toContain('class="chip even"');
  });

  it('says that a score is unchanged, new, or missing', () => {
    const still = scored(0, -5, 5);
    const fresh: ResultsReply = {
      ...still,
      previous: { ...days, responses: 0, score: null, difference: null },
    } as ResultsReply;
    const [unchanged, first, silent] = sentencesOf(still, fresh, { ...still, score: null });
    expect(wordsOf(unchanged)).toBe('Unchanged from the previous 90 days.');
    expect(first).toBe('No responses in the previous 90 days.');
    expect(silent).toBe('No responses in this period.');
  });

  it('says that zero may mean too few where small cells are hidden', () => {
    const few: ResultsReply = { ...scored(0, -5, 5), smallestCell: 5, shownTo: '2026-11-22' };
    const fresh = { ...few, previous: { ...days, responses: 0, score: null, difference: null } };
    expect(sentencesOf(fresh, { ...few, score: null })).toEqual([
      'No responses in the previous 90 days, or too few to show.',
      'No responses in this period, or too few to show.',
    ]);
  });
});

const [contact] = people;
type Asks = Pick<Contact, 'rating' | 'text' | 'contact'>;

const reported = (
  slug: string,
  type: ResultsReply['survey']['type'],
  waiting: readonly Contact[],
): ReportedSurvey => ({
  results: { ...example, survey: { ...example.survey, slug, type } },
  segments: [],
  comments: [],
  hasMoreComments: false,
  waiting: { people: waiting, hasMore: false, isRead: true },
  told: [],
  sources: {},
});
const asking = (slug: string, type: ResultsReply['survey']['type'], said: readonly Asks[]) =>
  reported(
    slug,
    type,
    said.flatMap((each) => (contact ? [{ ...contact, ...each }] : [])),
  );
const who = (rating: number, text: string | null, contact: string | null = 'me@shop.example') => ({
  rating,
  text,
  contact,
});
const linesOf = (surveys: readonly ReportedSurvey[]) =>
  [...callFirst(surveys).text.matchAll(/<strong[^>]*>([^<]*)<\/strong> <b>([^<]*)</g)].map(
    ([, rating, slug]) => `${rating}, ${slug}`,
  );

describe('people to contact first', () => {
  it('are taken from each survey in turn, comments first, with survey and scale', () => {
    const surveys = [
      asking('recommend', 'nps', [who(0, null), who(3, 'Late.'), who(9, 'Lovely.')]),
      asking('checkout', 'csat', [who(1, 'Charged twice.')]),
      asking('miss-us', 'pmf', [who(0, 'Too dear.')]),
    ];
    expect(linesOf(surveys)).toEqual([
      '3 of 10, recommend',
      '1 of 5, checkout',
      'Not disappointed, miss-us',
      '0 of 10, recommend',
    ]);
  });

  it('are marked if they left no address', () => {
    const { text } = callFirst([asking('recommend', 'nps', [who(0, 'Late.', null)])]);
    expect(text).toContain('<span class="about">no address</span>');
    expect(callFirst([asking('recommend', 'nps', [who(0, 'Late.')])]).text).not.toContain('no address');
  });

  it('are at most eight, and the others are counted', () => {
    const many = Array.from({ length: 60 }, (_, index) => who(0, `said ${index}`));
    const surveys = [asking('s', 'nps', many), asking('t', 'nps', [])];
    expect(linesOf(surveys)).toHaveLength(8);
    expect(callFirst(surveys).text).toContain(' 52 more people are waiting.');
  });

  it('are omitted if no one with a low rating is waiting', () => {
    expect(callFirst([asking('recommend', 'nps', [who(9, 'Lovely.')])]).text).toBe('');
  });

  it('mention that only the newest were read', () => {
    const [one] = [asking('recommend', 'nps', [who(0, 'Late.'), who(9, 'Lovely.')])];
    const { text } = callFirst([{ ...one, waiting: { ...one.waiting, hasMore: true } }]);
    expect(text).toContain(
      'comment come first. Only the newest 2 contact requests of each survey were considered.',
    );
  });
});

describe('the number of people who are waiting', () => {
  const counted = (given: Partial<ResultsReply>, waits: number, waiting = {}): ReportedSurvey => {
    const each = asking(
      'recommend',
      'nps',
      Array.from({ length: waits }, () => who(0, 'Late.')),
    );
    return {
      ...each,
      results: { ...each.results, modelRequested: 0, ...given },
      waiting: { ...each.waiting, ...waiting },
    };
  };

  it.each([
    [0, 0, 'No open contact requests from this period.'],
    // Results do not count the response, because a model requested it.
    [0, 1, '1 person asked to be contacted in this period and is still waiting.'],
    [2, 0, 'No open contact requests from this period.'],
    // One of the three was deleted, and a model requested another one.
    [3, 3, '3 people asked to be contacted in this period and are still waiting.'],
    [2, 3, '3 people asked to be contacted in this period and are still waiting.'],
  ])('counts the contacts that were read: %i counted, %i read', (followUpsRequested, waits, said) => {
    expect(waitingWords([counted({ followUpsRequested }, waits)])).toBe(said);
  });

  it('has a plus sign if there are more', () => {
    expect(waitingWords([counted({ followUpsRequested: 9 }, 2, { hasMore: true })])).toBe(
      'More than 2 people asked to be contacted in this period and are still waiting.',
    );
  });

  it.each([
    [{ followUpsRequested: 0 }, 'No one asked to be contacted in this period.'],
    [{ followUpsRequested: 2 }, '2 people asked to be contacted in this period.'],
    [
      { followUpsRequested: 0, modelRequested: 3 },
      'No one asked to be contacted in this period, not counting responses asked for by an AI assistant.',
    ],
    [
      { followUpsRequested: 0, smallestCell: 5, shownTo: '2026-11-22' },
      'No one, or too few people to show, asked to be contacted in this period.',
    ],
    [
      { followUpsRequested: 7, smallestCell: 5, shownTo: '2026-11-22' },
      'At least 7 people asked to be contacted in this period. Small numbers are hidden.',
    ],
  ])('is the counted number if contacts were not read: %j', (given, said) => {
    expect(waitingWords([counted(given, 0, { isRead: false })])).toBe(said);
  });
});

it.each([
  ['the people', [10_000, 10_000], ['#people-one', '#people-two']],
  ['the survey, if the file has no room for people', [10_000, 10], ['#people-one', '#survey-two']],
])('links the contents to %s', (_, rooms, targets) => {
  const surveys = [reported('one', 'nps', people), reported('two', 'nps', people)];
  const { text } = contents(surveys, rooms);
  const leads = [...text.matchAll(/href="([^"]*)" aria-label="Contact/g)].map(([, target]) => target);
  expect(leads).toEqual(targets);
  const ids = surveys.map((survey, index) => voices(survey, rooms[index] ?? 0).text);
  for (const [index, target] of targets.entries())
    expect(ids[index]?.includes(`id="${target.slice(1)}"`)).toBe(target.startsWith('#people'));
});
