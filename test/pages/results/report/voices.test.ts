import { describe, expect, it } from 'vitest';
import { type ReportedSurvey, shareRoom, voices } from '../../../../pages/results/report/voices.ts';
import type { Contact } from '../../../../shared/contract/contact-schemas.ts';
import {
  getResults,
  listComments,
  listContacts,
} from '../../../../shared/contract/examples/results-examples.ts';
import type { Comment, ResultsReply } from '../../../../shared/contract/results-schemas.ts';

const example = getResults.reply as ResultsReply;
const [comment] = listComments.reply.comments as Comment[];
const [asking] = listContacts.reply.contacts as Contact[];
const PLENTY = 1_000_000;

const saidBy = (...said: readonly (readonly [rating: number, text: string])[]): ReportedSurvey => ({
  results: { ...example, survey: { ...example.survey, type: 'nps' }, comments: said.length },
  segments: [],
  comments: said.flatMap(([rating, text]) => (comment ? [{ ...comment, rating, text }] : [])),
  hasMoreComments: false,
  waiting: { people: [], hasMore: false, isRead: true },
  told: [],
  sources: {},
});
const textsIn = (text: string) =>
  [...text.matchAll(/<h4[^>]*>([^<]*)<|"auto">([^<]*)</g)].map(([, a, b]) => a ?? b);

describe('comments and contacts of a survey', () => {
  it('group comments by tone, low ratings first, and count repeated ones', () => {
    const { text } = voices(saidBy([10, 'Lovely'], [2, 'Late'], [8, 'Fine'], [2, 'late']), PLENTY);
    expect(textsIn(text)).toEqual([
      'Detractors (0 to 6)',
      'Late',
      'Passives (7 to 8)',
      'Fine',
      'Promoters (9 to 10)',
      'Lovely',
    ]);
    expect(text).toContain('said 2 times');
    expect(text).toContain('4 of 4 comments, low ratings first.');
  });

  it('mention that only the newest comments were read', () => {
    const of = saidBy([10, 'Lovely'], [2, 'Late']);
    const many = { ...of, results: { ...of.results, comments: 3_000 }, hasMoreComments: true };
    expect(voices(many, PLENTY).text).toContain(
      '2 of 3,000 comments, chosen from the newest 2, low ratings first.',
    );
  });

  it('mention that only the newest contacts were read', () => {
    const of = saidBy([2, 'Late']);
    const people = asking ? [asking, asking] : [];
    const text = (hasMore: boolean) =>
      voices({ ...of, waiting: { people, hasMore, isRead: true } }, PLENTY).text;
    expect(text(true)).toContain('2 of the newest 2 open requests, lowest rating first. There are more.');
    expect(text(false)).toContain('2 open requests, lowest rating first.');
  });

  it("show a contact's value in each segment, whatever its source", () => {
    const said = { traits: { plan: 'pro' }, labels: { ab: 'blue' }, channel: 'mail', taskType: 'refund' };
    const people = asking ? [{ ...asking, ...said }] : [];
    const { text } = voices(
      {
        ...saidBy(),
        waiting: { people, hasMore: false, isRead: true },
        told: ['plan', 'ab', 'via', 'what', 'none'],
        sources: { ab: 'label', via: 'channel', what: 'taskType' },
      },
      PLENTY,
    );
    const facts = [...text.matchAll(/class="fact"><bdi>([^<]*)</g)].map(([, fact]) => fact);
    expect(facts).toEqual(['pro', 'blue', 'mail', 'refund']);
  });

  it('shorten long text without cutting a character in half', () => {
    const people = asking ? [{ ...asking, text: `${'x'.repeat(399)}👩‍🔧 and more` }] : [];
    const { text } = voices({ ...saidBy(), waiting: { people, hasMore: false, isRead: true } }, PLENTY);
    expect(text).toContain(`>${'x'.repeat(399)} …<`);
  });

  it('contain every tone, but mostly low ratings, if there is too little room', () => {
    const long = 'words '.repeat(100);
    const many = [9, 2, 8].flatMap((rating) =>
      Array.from({ length: 20 }, (_, index) => [rating, `${rating} ${index} ${long}`] as const),
    );
    const shown = textsIn(voices(saidBy(...many), 10_000).text);
    const of = (kind: string) => shown.filter((text) => text?.startsWith(kind)).length;
    for (const kind of ['8 ', '9 ']) expect(of(kind)).toBeGreaterThan(1);
    expect(of('2 ')).toBeGreaterThan(of('8 ') + of('9 '));
    expect(shown.length).toBeLessThan(20);
  });

  it('have the lowest ratings first, and promoters newest first', () => {
    const { text } = voices(
      saidBy([5, 'five'], [9, 'nine'], [0, 'nought'], [8, 'eight'], [10, 'ten'], [7, 'seven']),
      PLENTY,
    );
    expect(textsIn(text).filter((each) => each?.match(/^[a-z]/))).toEqual([
      'nought',
      'five',
      'seven',
      'eight',
      'nine',
      'ten',
    ]);
  });

  it('print ten low ratings and five of each other tone, and fold the rest on screen', () => {
    const many = [9, 7, 6, 0, 3].flatMap((rating) =>
      Array.from({ length: 40 }, (_, index) => [rating, `${rating} said ${index}`] as const),
    );
    const { text } = voices(saidBy(...many), PLENTY);
    const printed = textsIn(text.replace(/<details class="more unprinted">.*?<\/details>/gs, ''));
    const of = (rating: number) => printed.filter((each) => each?.startsWith(`${rating} `)).length;
    expect([0, 3, 6, 7, 9].map(of)).toEqual([10, 0, 0, 5, 5]);
    expect(text).toContain('<summary>Show 110 more</summary>');
    expect(textsIn(text).length).toBe(200 + 3);
  });
});

it.each([
  ['all that each needs, if there is room', [10, 20, 30], 100, [10, 20, 30]],
  ['equal parts, if all need more', [50, 60, 70], 90, [30, 30, 30]],
  ['unneeded room goes to the others', [10, 80, 80], 100, [10, 45, 45]],
  ['nothing, if there is none', [10, 10], -5, [0, 0]],
] as const)('shares room: %s', (_, needs, room, rooms) => {
  expect(shareRoom(needs, room)).toEqual(rooms);
});
