import { describe, expect, it } from 'vitest';
import { callFirst } from '../../../../pages/results/report/call-first.ts';
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
  waiting: { people: people.flatMap((each) => (example ? [{ ...example, ...each }] : [])), hasMore: false },
  told: [],
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

  it('is as many as the first page has room for, fewer below a longer table', () => {
    const many = Array.from({ length: 60 }, (_, index) => who(0, `said ${index}`));
    const of = (surveys: number) =>
      linesOf(
        Array.from({ length: surveys }, (_, index) => asking(`s${index}`, 'nps', index === 0 ? many : [])),
      ).length;
    expect(of(2)).toBeGreaterThan(12);
    expect(of(6)).toBeLessThan(of(2));
    expect(of(30)).toBe(6);
    const { text } = callFirst([asking('s', 'nps', many), asking('t', 'nps', [])]);
    expect(text).toContain(`; ${60 - of(2)} more below.`);
  });

  it('is nothing where nobody who waits is unhappy', () => {
    expect(callFirst([asking('recommend', 'nps', [who(9, 'Lovely.')])]).text).toBe('');
  });
});
