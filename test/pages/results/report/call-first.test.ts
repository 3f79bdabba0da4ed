import { describe, expect, it } from 'vitest';
import { callFirst, waitingWords } from '../../../../pages/results/report/call-first.ts';
import type { ReportedSurvey } from '../../../../pages/results/report/voices.ts';
import type { Contact } from '../../../../shared/contract/contact-schemas.ts';
import { listContacts } from '../../../../shared/contract/examples/contact-examples.ts';
import { getResults } from '../../../../shared/contract/examples/results-examples.ts';
import type { ResultsReply } from '../../../../shared/contract/results-schemas.ts';

const results = getResults.reply as ResultsReply;
const [example] = listContacts.reply.contacts as Contact[];
type Asks = Pick<Contact, 'rating' | 'text' | 'contact'>;

const asking = (
  slug: string,
  type: ResultsReply['survey']['type'],
  people: readonly Asks[],
): ReportedSurvey => ({
  results: { ...results, survey: { ...results.survey, slug, type } },
  segments: [],
  comments: [],
  hasMoreComments: false,
  waiting: {
    people: people.flatMap((each) => (example ? [{ ...example, ...each }] : [])),
    hasMore: false,
    isRead: true,
  },
  told: [],
  sources: {},
});
const who = (rating: number, text: string | null, contact: string | null = 'me@shop.example') => ({
  rating,
  text,
  contact,
});
const linesOf = (surveys: readonly ReportedSurvey[]) =>
  [...callFirst(surveys).text.matchAll(/<strong[^>]*>([^<]*)<\/strong> <b>([^<]*)</g)].map(
    ([, rating, slug]) => `${rating}, ${slug}`,
  );

describe('whom to call first', () => {
  it('is unhappy people of each survey in turn, with the survey and its scale, those first who said why', () => {
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

  it('says of who left no address that there is none', () => {
    const { text } = callFirst([asking('recommend', 'nps', [who(0, 'Late.', null)])]);
    expect(text).toContain('<span class="about">no address</span>');
    expect(callFirst([asking('recommend', 'nps', [who(0, 'Late.')])]).text).not.toContain('no address');
  });

  it('lists eight people, and counts the others', () => {
    const many = Array.from({ length: 60 }, (_, index) => who(0, `said ${index}`));
    const surveys = [asking('s', 'nps', many), asking('t', 'nps', [])];
    expect(linesOf(surveys)).toHaveLength(8);
    expect(callFirst(surveys).text).toContain(' 52 more people are waiting.');
  });

  it('is nothing where nobody who waits is unhappy', () => {
    expect(callFirst([asking('recommend', 'nps', [who(9, 'Lovely.')])]).text).toBe('');
  });

  it('says that it is of the newest, where more wait than were read', () => {
    const [one] = [asking('recommend', 'nps', [who(0, 'Late.'), who(9, 'Lovely.')])];
    const { text } = callFirst([{ ...one, waiting: { ...one.waiting, hasMore: true } }]);
    expect(text).toContain(
      'comments first. From surveys with more, only the newest 2 people are considered.',
    );
  });
});

describe('who waits, at the head of a report', () => {
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
    [0, 0, 'No one who asked to be contacted in this period is still waiting.'],
    // A model asked for this answer: it is in no number.
    [0, 1, '1 person asked to be contacted in this period and is still waiting.'],
    [2, 0, 'No one who asked to be contacted in this period is still waiting.'],
    // One of three is gone, and a model asked for one.
    [3, 3, '3 people asked to be contacted in this period and are still waiting.'],
    [2, 3, '3 people asked to be contacted in this period and are still waiting.'],
  ])('%i are counted, %i are read: it says those that were read', (followUpsRequested, waits, said) => {
    expect(waitingWords([counted({ followUpsRequested }, waits)])).toBe(said);
  });

  it('says that there are more than were read', () => {
    expect(waitingWords([counted({ followUpsRequested: 9 }, 2, { hasMore: true })])).toBe(
      '2+ people asked to be contacted in this period and are still waiting.',
    );
  });

  it.each([
    [{ followUpsRequested: 0 }, 'No one asked to be contacted in this period.'],
    [{ followUpsRequested: 2 }, '2 people asked to be contacted in this period. See the results page.'],
    [
      { followUpsRequested: 0, modelRequested: 3 },
      'No one asked to be contacted in this period, not counting responses requested by a model.',
    ],
    [
      { followUpsRequested: 0, smallestCell: 5, shownTo: '2026-11-22' },
      'No one asked to be contacted in this period, or too few to show.',
    ],
    [
      { followUpsRequested: 7, smallestCell: 5, shownTo: '2026-11-22' },
      'At least 7 people asked to be contacted in this period. Small numbers are hidden. See the results page.',
    ],
  ])('without people, %j: what is counted', (given, said) => {
    expect(waitingWords([counted(given, 0, { isRead: false })])).toBe(said);
  });
});
