import { describe, expect, it } from 'vitest';
import { unhappiestFirst, wordsFirst } from '../../../../pages/results/report/order-people.ts';

const WORDS = 'Broken twice.';
const ADDRESS = 'me@shop.example';
const PEOPLE = [
  { name: 'silent 0', rating: 0, text: null, contact: ADDRESS },
  { name: 'nobody 0', rating: 0, text: null, contact: null },
  { name: 'id 0', rating: 0, text: WORDS, contact: null },
  { name: 'reachable 0', rating: 0, text: WORDS, contact: ADDRESS },
  { name: 'reachable 3', rating: 3, text: WORDS, contact: ADDRESS },
];
const namesOf = (people: readonly { readonly name: string }[]) => people.map(({ name }) => name);

describe('people who wait', () => {
  it('stand by rating, and of one rating who has words and an address before who has not', () => {
    expect(namesOf(unhappiestFirst(PEOPLE.toReversed()))).toEqual([
      'reachable 0',
      'id 0',
      'silent 0',
      'nobody 0',
      'reachable 3',
    ]);
  });

  it('are called first where they said what is wrong', () => {
    expect(namesOf(wordsFirst(PEOPLE))).toEqual([
      'reachable 0',
      'id 0',
      'reachable 3',
      'silent 0',
      'nobody 0',
    ]);
  });
});
