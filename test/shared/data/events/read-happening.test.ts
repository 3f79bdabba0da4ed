/** Which changes of rows are told, under which id. */

import { describe, expect, it } from 'vitest';
import { readHappening } from '../../../../shared/data/events/read-happening.ts';
import type { Row } from '../../../../shared/data/table/row.ts';

const AT = '2026-11-20T09:30:00.000Z';
const LATER = '2026-11-20T10:00:00.000Z';

const response: Row = {
  type: 'response',
  id: 'answer-1',
  projectId: 'p',
  surveyId: 'sv_1',
  respondentId: 'ann',
  at: AT,
  source: 'sdk',
  rating: 2,
  attested: { sessionId: 'attested' },
  claimed: { sessionId: 'claimed', traceId: 'trace' },
  scoreState: 'pending',
  attempts: 0,
};
const dismissal: Row = { ...response, type: 'dismissal', rating: undefined };
const tombstone: Row = { ...response, type: 'tombstone', respondentId: undefined };
const purge: Row = {
  type: 'purge',
  projectId: 'p',
  state: 'done',
  attempt: 1,
  openedAt: AT,
  finishedAt: LATER,
};

const read = (oldRow: Row | undefined, newRow: Row | undefined) =>
  readHappening({ oldRow, newRow, at: LATER });
const told = (oldRow: Row | undefined, newRow: Row | undefined) => {
  const { type, id, at } = read(oldRow, newRow) ?? {};
  return type && { type, id, at };
};

describe('a change of a row', () => {
  it('that stores an answer tells it, at the time of the answer', () => {
    expect(told(undefined, response)).toEqual({
      type: 'Response Recorded',
      id: 'answer-1-recorded',
      at: AT,
    });
    expect(told(undefined, dismissal)).toEqual({
      type: 'Dismissal Recorded',
      id: 'answer-1-dismissed',
      at: AT,
    });
  });

  it('tells attested session values, and the client’s word where there are none', () => {
    expect(read(undefined, response)).toMatchObject({
      response: { sessionId: 'attested', traceId: 'trace', observationId: undefined },
    });
  });

  it('that fails a score tells each failed acknowledgement once', () => {
    const failed = { ...response, scoreState: 'failed', attempts: 1 };
    expect(told(response, failed)).toEqual({
      type: 'Score Failed',
      id: 'answer-1-score-failed-1',
      at: LATER,
    });
    expect(told(failed, { ...failed, attempts: 2 })?.id).toBe('answer-1-score-failed-2');
    expect(told(failed, { ...failed, lastError: 'another' })).toBeUndefined();
  });

  it.each<[string, Row | undefined, Row | undefined]>([
    ['delivers a score', response, { ...response, scoreState: 'delivered' }],
    ['erases an answer', response, undefined],
    ['leaves a tombstone', response, tombstone],
    ['deletes a tombstone', tombstone, undefined],
    ['asks to fold a history', undefined, { type: 'fold-request', projectId: 'p', respondentHash: 'h' }],
    ['counts', undefined, { type: 'counted-record' }],
    ['opens a purge', undefined, { ...purge, state: 'requested', finishedAt: undefined }],
    ['repeats the end of a purge', purge, purge],
    ['ends the purge of a person', undefined, { ...purge, respondentHash: 'h' }],
  ])('that %s tells nothing', (_what, before, after) => {
    expect(told(before, after)).toBeUndefined();
  });

  it('that ends a purge tells whose', () => {
    const running = { ...purge, state: 'running', finishedAt: undefined };
    expect(told(running, purge)).toMatchObject({ type: 'Account Purged', at: LATER });
    const ofSurvey = { ...purge, surveyId: 'sv_1' };
    expect(read(running, ofSurvey)).toMatchObject({ type: 'Survey Purged', surveyId: 'sv_1' });
    const ids = [purge, ofSurvey, { ...purge, attempt: 2 }, { ...purge, openedAt: LATER }].map(
      (row) => told(running, row)?.id,
    );
    expect(new Set(ids).size).toBe(4);
  });

  it('whose row is malformed is an error that quotes nothing of it', () => {
    expect(() => read(undefined, { ...response, rating: 'CANARY' })).toThrow(/^(?!.*CANARY).*rating/);
  });
});
