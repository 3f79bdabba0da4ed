import { describe, expect, it } from 'vitest';
import { orderAfter, sortSurveys } from '../../../../shared/domain/surveys/survey.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => aSurvey({ id }));
const all = [d, b, a, c].filter((survey) => survey !== undefined);
const idsOf = (surveys: readonly { readonly id: string }[]) => surveys.map(({ id }) => id);

describe('the order of surveys', () => {
  it('is by id without a file', () => {
    expect(idsOf(sortSurveys(all, []))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('follows the file, with unlisted surveys last', () => {
    expect(idsOf(sortSurveys(all, ['c', 'gone', 'a']))).toEqual(['c', 'a', 'b', 'd']);
  });

  it('puts a higher priority first and a negative one last', () => {
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

it("puts a file's surveys first and keeps the order of the others", () => {
  expect(orderAfter(['b'], all, ['d', 'gone', 'b'])).toEqual(['b', 'd', 'a', 'c']);
});
