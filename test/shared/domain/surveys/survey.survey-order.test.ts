import { describe, expect, it } from 'vitest';
import { orderAfter, sortSurveys } from '../../../../shared/domain/surveys/survey.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => aSurvey({ id }));
const all = [d, b, a, c].filter((survey) => survey !== undefined);
const idsOf = (surveys: readonly { readonly id: string }[]) => surveys.map(({ id }) => id);

describe('surveys are asked', () => {
  it('by id where no file said otherwise', () => {
    expect(idsOf(sortSurveys(all, []))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('as the file lists them, and behind those the ones it does not list', () => {
    expect(idsOf(sortSurveys(all, ['c', 'gone', 'a']))).toEqual(['c', 'a', 'b', 'd']);
  });

  it('a higher priority first, one below zero last', () => {
    const urgent = aSurvey({ id: 'x' }, { priority: 2 });
    const spare = aSurvey({ id: 'y' }, { priority: -1 });
    expect(idsOf(sortSurveys([spare, ...all, urgent], ['y', 'd', 'x']))).toEqual([
      'x',
      'd',
      'a',
      'b',
      'c',
      'y',
    ]);
  });
});

it('applying a file puts its surveys first, and leaves the others as they were', () => {
  expect(orderAfter(['b'], all, ['d', 'gone', 'b'])).toEqual(['b', 'd', 'a', 'c']);
});
