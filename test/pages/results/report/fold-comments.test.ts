import { expect, it } from 'vitest';
import { foldComments } from '../../../../pages/results/report/fold-comments.ts';
import { listComments } from '../../../../shared/contract/examples/results-examples.ts';
import type { Comment } from '../../../../shared/contract/results-schemas.ts';

const [example] = listComments.reply.comments as Comment[];
const said = (rating: number, text: string, more: Partial<Comment> = {}): Comment[] =>
  example ? [{ ...example, rating, text, ...more }] : [];
const foldedOf = (comments: readonly Comment[]) =>
  foldComments(comments).map(({ said: { rating, text }, times }) => [rating, text, times.length]);

it('says once what several wrote alike with one rating', () => {
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

it('leaves apart what a model asked for: that is marked', () => {
  const byModel = { identityKind: 'model-requested' } as const;
  expect(foldedOf([...said(3, 'Slow'), ...said(3, 'Slow', byModel), ...said(3, 'slow', byModel)])).toEqual([
    [3, 'Slow', 1],
    [3, 'Slow', 2],
  ]);
});
