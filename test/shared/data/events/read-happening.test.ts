import { describe, expect, it } from 'vitest';
import { readHappenings } from '../../../../shared/data/events/read-happening.ts';
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
  readHappenings({ oldRow, newRow, at: LATER, showsBefore: [], showsAfter: [] })[0];
const told = (oldRow: Row | undefined, newRow: Row | undefined) => {
  const { type, id, at } = read(oldRow, newRow) ?? {};
  return type && [type, id, at];
};

describe('reading events from a change of a row', () => {
  it('reports a stored answer with the time of the answer', () => {
    expect(told(undefined, response)).toEqual(['Response Recorded', 'answer-1-recorded', AT]);
    expect(told(undefined, dismissal)).toEqual(['Dismissal Recorded', 'answer-1-dismissed', AT]);
  });

  it("reports the reasons of the row's revision, and no older ones that a release left there", () => {
    const given = [{ code: 'slow', place: 3 }];
    const reasonsOf = (row: Row) => read(undefined, row);
    expect(reasonsOf({ ...response, reasons: { given } })).toMatchObject({ response: { reasons: ['slow'] } });
    const revised = { ...response, revision: 2, reasons: { given, revision: 2 } };
    expect(reasonsOf(revised)).toMatchObject({ response: { reasons: ['slow'] } });
    expect(reasonsOf({ ...revised, revision: 3 })).toMatchObject({ response: { reasons: undefined } });
  });

  it("reports attested session values, and the client's own if there are none", () => {
    expect(read(undefined, response)).toMatchObject({
      response: { sessionId: 'attested', traceId: 'trace', observationId: undefined },
    });
  });

  it('reports each failed acknowledgement of a score once', () => {
    const failed = { ...response, scoreState: 'failed', attempts: 1 };
    expect(told(response, failed)).toEqual(['Score Failed', 'answer-1-score-failed-0-1', LATER]);
    expect(read(failed, { ...failed, attempts: 2 })?.id).toBe('answer-1-score-failed-0-2');
    expect(told(failed, { ...failed, lastError: 'another' })).toBeUndefined();
  });

  it('reports the revision of a response, and its withdrawal', () => {
    const revised = { ...response, rating: 9, revision: 1, revisedAt: LATER, scoreState: 'pending' };
    const withdrawn = { ...revised, rating: undefined, revision: 2, withdrawn: true };
    const again = { ...revised, rating: 3, revision: 3 };
    expect(told(response, revised)).toEqual(['Response Revised', 'answer-1-revised-1', LATER]);
    expect(told(revised, withdrawn)).toEqual(['Response Withdrawn', 'answer-1-withdrawn-2', LATER]);
    expect(read(revised, withdrawn)).toMatchObject({ response: { rating: undefined, revision: 2 } });
    expect(read(response, revised)).toMatchObject({ response: { before: { rating: 2 } } });
    expect(read(withdrawn, again)).toMatchObject({ response: { before: {} } });
    expect(read(withdrawn, again)?.id).toBe('answer-1-revised-3');
    expect(told(again, { ...again, scoreState: 'delivered' })).toBeUndefined();
    const failed = { ...again, scoreState: 'failed', attempts: 1 };
    expect(read(again, failed)?.id).toBe('answer-1-score-failed-3-1');
  });

  it('reports each added show, but no known or removed one', () => {
    const shownRow: Row = { type: 'shown', pk: 'P#p#R#hash' };
    const show = (id: string) => ({ surveyId: 'sv_1', at: Date.parse(AT), id });
    const read = (before: string[], after: string[]) =>
      readHappenings({
        oldRow: shownRow,
        newRow: shownRow,
        at: LATER,
        showsBefore: before.map(show),
        showsAfter: after.map(show),
      }).map(({ type, id, projectId }) => [type, id, projectId]);
    expect(read(['a'], ['a', 'b', 'c'])).toEqual([
      ['Survey Shown', 'p-sv_1-shown-b', 'p'],
      ['Survey Shown', 'p-sv_1-shown-c', 'p'],
    ]);
    expect(read(['a', 'b'], ['b'])).toEqual([]);
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
  ])('reports nothing when a change %s', (_what, before, after) => {
    expect(told(before, after)).toBeUndefined();
  });

  it('reports what an ended purge has deleted', () => {
    const running = { ...purge, state: 'running', finishedAt: undefined };
    expect(told(running, purge)).toEqual(['Account Purged', expect.any(String), LATER]);
    const ofSurvey = { ...purge, surveyId: 'sv_1' };
    expect(read(running, ofSurvey)).toMatchObject({ type: 'Survey Purged', surveyId: 'sv_1' });
    const ids = [purge, ofSurvey, { ...purge, attempt: 2 }, { ...purge, openedAt: LATER }].map(
      (row) => read(running, row)?.id,
    );
    expect(new Set(ids).size).toBe(4);
  });

  it('throws for a malformed row, without quoting its values', () => {
    expect(() => read(undefined, { ...response, rating: 'CANARY' })).toThrow(/^(?!.*CANARY).*rating/);
  });
});
