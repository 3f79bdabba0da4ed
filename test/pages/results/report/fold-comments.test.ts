import { expect, it } from 'vitest';
import { foldComments } from '../../../../pages/results/report/fold-comments.ts';
import { listComments } from '../../../../shared/contract/examples/results-examples.ts';
import type { Comment } from '../../../../shared/contract/results-schemas.ts';

const [example] = listComments.reply.comments as Comment[];
const said = (rating: number, text: string): Comment[] => (example ? [{ ...example, rating, text }] : []);

it('says once what several wrote alike, and of ratings that count otherwise apart', () => {
  const all = [
    ...said(3, 'Too slow.'),
    ...said(10, 'Lovely'),
    ...said(5, ' too  SLOW. '),
    ...said(9, 'Too slow.'),
  ];
  const folded = foldComments('nps', all);
  expect(folded.map(({ said: { rating, text }, times }) => [rating, text, times.length])).toEqual([
    [3, 'Too slow.', 2],
    [10, 'Lovely', 1],
    [9, 'Too slow.', 1],
  ]);
});
