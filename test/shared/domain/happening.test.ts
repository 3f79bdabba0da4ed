import { expect, it } from 'vitest';
import { newsOf, type ResponseFacts } from '../../../shared/domain/happening.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';

const facts = (more: Partial<ResponseFacts>): ResponseFacts => ({
  answerId: 'a',
  answeredAt: '2026-11-20T09:30:00.000Z',
  respondentId: 'ann',
  surveyId: 'sv',
  source: 'sdk',
  revision: 0,
  ...more,
});
const asks = { rating: 2, followUpRequested: true };

it.each([
  ['a low rating and a wish are both new with the answer', facts(asks), ['low', 'contact']],
  ['a good rating is no news', facts({ rating: 9 }), []],
  ['a revision that keeps both tells neither again', facts({ ...asks, before: asks }), []],
  ['a lower rating is no news where it was low before', facts({ rating: 0, before: { rating: 6 } }), []],
  ['a rating that became low is', facts({ rating: 6, before: { rating: 7 } }), ['low']],
  ['a wish that is added is', facts({ ...asks, before: { rating: 2 } }), ['contact']],
  ['what is given again after it was taken back is', facts({ ...asks, before: {} }), ['low', 'contact']],
  ['a wish that is taken back is no news', facts({ rating: 2, before: asks }), []],
] as const)('%s', (_what, response, expected) => {
  expect(newsOf({ content: { type: 'nps' } } as Survey, response)).toEqual(expected);
});

it("does not call a rating low if the survey's type is unknown", () => {
  expect(newsOf(undefined, facts(asks))).toEqual(['contact']);
});
