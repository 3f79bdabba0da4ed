import { describe, expect, it } from 'vitest';
import { foldComments, unhappiestFirst, wordsFirst } from '../../../../pages/results/report/items.ts';
import { listComments } from '../../../../shared/contract/examples/results-examples.ts';
import type { Comment } from '../../../../shared/contract/results-schemas.ts';

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

describe('people who asked to be contacted', () => {
  it('are sorted by rating, then comment, then address', () => {
    expect(namesOf(unhappiestFirst(PEOPLE.toReversed()))).toEqual([
      'reachable 0',
      'id 0',
      'silent 0',
      'nobody 0',
      'reachable 3',
    ]);
  });

  it('come first on the cover if they left a comment', () => {
    expect(namesOf(wordsFirst(PEOPLE))).toEqual([
      'reachable 0',
      'id 0',
      'reachable 3',
      'silent 0',
      'nobody 0',
    ]);
  });
});

const [example] = listComments.reply.comments as Comment[];
const said = (rating: number, text: string, more: Partial<Comment> = {}): Comment[] =>
  example ? [{ ...example, rating, text, ...more }] : [];
const foldedOf = (comments: readonly Comment[]) =>
  foldComments(comments).map(({ said: { rating, text }, times }) => [rating, text, times.length]);

it('folds equal comments of the same rating', () => {
  const all = [
    ...said(3, 'Too slow.'),
    ...said(10, 'Lovely'),
    ...said(3, ' too  SLOW. '),
    ...said(9, 'Too slow.'),
    ...said(0, 'Too slow.'),
  ];
  expect(foldedOf(all)).toEqual([
    [3, 'Too slow.', 2],
    [10, 'Lovely', 1],
    [9, 'Too slow.', 1],
    [0, 'Too slow.', 1],
  ]);
});

it('keeps responses asked for by an AI assistant apart', () => {
  const byModel = { identityKind: 'model-requested' } as const;
  expect(foldedOf([...said(3, 'Slow'), ...said(3, 'Slow', byModel), ...said(3, 'slow', byModel)])).toEqual([
    [3, 'Slow', 1],
    [3, 'Slow', 2],
  ]);
});
