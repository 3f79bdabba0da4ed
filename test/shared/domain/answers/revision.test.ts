import { expect, it } from 'vitest';
import type { Response } from '../../../../shared/domain/answers/answer.ts';
import { compareRevision } from '../../../../shared/domain/answers/revision.ts';

const CODES = [
  { code: 'slow', place: 0 },
  { code: 'wrong', place: 1 },
];
const stored = {
  kind: 'response',
  id: 'id',
  surveyId: 'survey',
  at: '2026-11-01T00:00:00.000Z',
  rating: 0,
  reasons: CODES,
  tokenExpiresAt: 9,
  revision: 1,
  revisedAt: '2026-11-01T00:01:00.000Z',
} as Partial<Response> as Response;
const again = (reasons: Response['reasons'], tokenExpiresAt = 9) =>
  compareRevision(stored, {
    projectId: 'p',
    tokenId: 't',
    tokenExpiresAt,
    respondentId: 'r',
    isLinked: true,
    number: 1,
    revisedAt: '2026-11-01T00:02:00.000Z',
    words: { rating: 0, text: undefined, followUpRequested: undefined, contact: undefined, reasons },
  }).kind;

it('treats a repeated revision as the same after the survey reorders its reasons', () => {
  expect(again([...CODES].reverse())).toBe('same');
});

it('reports a conflict when a used number comes with other reasons', () => {
  expect(again(CODES.slice(1))).toBe('conflict');
  expect(again(undefined)).toBe('conflict');
});

it('finds nothing for another token with the same id', () => {
  expect(again(CODES, 10)).toBe('nothing');
});
