import { describe, expect, it } from 'vitest';
import { chooseReasons, reasonCodesAfter } from '../../../../shared/domain/surveys/reasons.ts';
import type { SurveyType } from '../../../../shared/domain/surveys/survey.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const reasonsOf = (...codes: string[]) => codes.map((code) => ({ code, label: `Label of ${code}` }));
const survey = aSurvey(
  { reasonCodes: ['gone', 'slow', 'wrong'] },
  { type: 'thumbs', reasons: reasonsOf('wrong', 'slow') },
);

describe('submitted reasons', () => {
  it("are kept once each in the survey's order, with unlisted ones last", () => {
    expect(chooseReasons(survey, 0, ['gone', 'slow', 'wrong', 'slow'])).toEqual({
      reasons: [
        { code: 'wrong', place: 2 },
        { code: 'slow', place: 1 },
        { code: 'gone', place: 0 },
      ],
      dropped: [],
    });
  });

  it('are dropped if unknown, and named by position', () => {
    expect(chooseReasons(survey, 0, ['other', 'slow', 7, null])).toEqual({
      reasons: [{ code: 'slow', place: 1 }],
      dropped: ['reasons.0', 'reasons.2', 'reasons.3'],
    });
    expect(chooseReasons(survey, 0, ['other'])).toEqual({ reasons: undefined, dropped: ['reasons'] });
    expect(chooseReasons(aSurvey(), 0, ['slow'])).toEqual({ reasons: undefined, dropped: ['reasons'] });
  });

  it('are undefined if none are sent, with nothing dropped', () => {
    for (const sent of [undefined, []])
      expect(chooseReasons(survey, 0, sent)).toEqual({ reasons: undefined, dropped: [] });
  });

  it.each<readonly [SurveyType, number, number]>([
    ['nps', 6, 7],
    ['csat', 2, 3],
    ['ces', 3, 4],
    ['pmf', 0, 1],
    ['thumbs', 0, 1],
  ])('are accepted for %s with a rating of %i, but not of %i', (type, low, high) => {
    const of = { ...survey, content: { ...survey.content, type } };
    expect(chooseReasons(of, low, ['slow']).reasons).toHaveLength(1);
    expect(chooseReasons(of, high, ['slow'])).toEqual({ reasons: undefined, dropped: ['reasons'] });
  });

  it('are read only from the beginning of an endless list', () => {
    const { reasons, dropped } = chooseReasons(survey, 0, ['slow', ...Array(9_999).fill('x')]);
    expect(reasons).toHaveLength(1);
    expect([dropped.length, dropped.at(-1)]).toEqual([24, 'reasons']);
  });
});

it('appends codes, so that each keeps its place', () => {
  expect(reasonCodesAfter(undefined, reasonsOf('b', 'a'))).toEqual(['b', 'a']);
  expect(reasonCodesAfter(['b', 'a'], reasonsOf('c', 'a'))).toEqual(['b', 'a', 'c']);
  expect(reasonCodesAfter(['b', 'a'])).toEqual(['b', 'a']);
});
