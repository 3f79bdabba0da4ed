import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createLangfuseDestination,
  langfuseScore,
} from '../../../../shared/delivery/destinations/langfuse.ts';
import type { StandingScore } from '../../../../shared/delivery/score-service.ts';
import { aScore } from '../../../support/fixtures/builders.ts';
import { type Fault, startLangfuseStandIn } from '../../../support/stand-ins/langfuse-stand-in.ts';

const KEYS = { publicKey: 'pk-lf-test', secretKey: 'sk-lf-test' } as const;
const bodyOf = (score: Parameters<typeof aScore>[0], options: object = {}) =>
  langfuseScore(aScore(score), options);

async function standIn(fault?: Fault) {
  const langfuse = await startLangfuseStandIn({ faultOf: () => fault });
  onTestFinished(() => langfuse.stop());
  const deliver = (score = aScore(), options: object = {}) =>
    createLangfuseDestination({
      baseUrl: langfuse.url,
      ...KEYS,
      now: () => Date.parse(score.at),
      ...options,
    }).deliver({ ...score, triedAt: null }, { timeoutMs: 2_000 });
  return { langfuse, deliver };
}

describe('a score sent to Langfuse', () => {
  it('has the response’s id, the raw rating, its type, the text and metadata', () => {
    expect(bodyOf({})).toEqual({
      id: 'response-1',
      traceId: 't-1',
      observationId: 'o-1',
      name: 'canvass.csat',
      value: 4,
      dataType: 'NUMERIC',
      comment: 'fine',
      metadata: {
        surveyId: 'sv_1',
        surveySlug: 'checkout',
        surveyType: 'csat',
        scaleMin: 1,
        scaleMax: 5,
        normalizedValue: 0.75,
        taskType: 'refund',
        identityKind: 'identified',
        answeredAt: '2026-11-20T09:30:00.000Z',
        sessionId: 's-1',
      },
    });
  });

  it('has the codes of its reasons and answers in the metadata, if the service sends any', () => {
    const metadata = { reasons: ['slow', 'wrong'], answers: { use: ['reports'], effort: 3 } };
    expect(bodyOf({ ...metadata, text: null })).toMatchObject({ metadata });
    const { reasons: _reasons, answers: _answers, ...before } = aScore();
    const bodies = [bodyOf({}), langfuseScore(before as StandingScore, {})];
    for (const body of bodies) expect(JSON.stringify(body)).not.toMatch(/reasons|answers/);
  });

  it('is a category for a choice, by its code and without a place on a scale', () => {
    const chosen = { surveyType: 'choice', rating: 2, scale: { min: 0, max: 4 } } as const;
    const body = bodyOf({ ...chosen, choice: 'price' });
    expect(body).toMatchObject({ name: 'canvass.choice', value: 'price', dataType: 'CATEGORICAL' });
    expect(JSON.stringify(body)).not.toMatch(/scale|normalized/);
    expect(bodyOf(chosen)).toMatchObject({ value: '2', dataType: 'CATEGORICAL' });
  });

  it('has labels and channel in its metadata', () => {
    const labels = { model: 'large-2' };
    expect(bodyOf({ labels, channel: 'slack' })).toMatchObject({ metadata: { labels, channel: 'slack' } });
    expect(JSON.stringify(bodyOf({}))).not.toMatch(/labels|channel/);
  });

  it('goes to trace and observation, to the trace, or to the session, but never to two or to an observation alone', async () => {
    const levels = [
      { traceId: 't-1', observationId: 'o-1' },
      { traceId: 't-1', observationId: null },
      { traceId: null, observationId: null },
      { traceId: null, observationId: 'o-1' },
    ].map((ids) => bodyOf(ids));
    const session = { sessionId: 's-1' };
    expect(levels).toMatchObject([
      { traceId: 't-1', observationId: 'o-1', metadata: session },
      { traceId: 't-1', metadata: session },
      session,
      { ...session, metadata: { observationId: 'o-1' } },
    ]);
    expect(levels.map((body) => Object.keys(body).filter((name) => name.endsWith('Id')))).toEqual([
      ['traceId', 'observationId'],
      ['traceId'],
      ['sessionId'],
      ['sessionId'],
    ]);
    const { langfuse, deliver } = await standIn();
    for (const [index, ids] of [{}, { observationId: null }, { traceId: null }].entries())
      expect(await deliver(aScore({ id: `r-${index}`, ...ids }))).toEqual({ kind: 'delivered' });
    expect(langfuse.scores.size).toBe(3);
  });

  it('omits missing fields, and the text when configured', () => {
    const bare = { text: null, taskType: null, identityKind: null };
    expect(bodyOf(bare)).not.toHaveProperty('comment');
    expect(bodyOf({ text: '' })).not.toHaveProperty('comment');
    expect(bodyOf({}, { includeText: false })).not.toHaveProperty('comment');
    expect(JSON.stringify(bodyOf(bare))).not.toContain('null');
    expect(bodyOf({})).not.toHaveProperty('environment');
    // The receiver must not learn the respondent.
    expect(JSON.stringify(bodyOf({}))).not.toContain('ann');
  });

  it('is named by the template, in the configured environment', () => {
    const options = { name: '{slug}/{type}', environment: 'staging' };
    expect(bodyOf({}, options)).toMatchObject({ name: 'checkout/csat', environment: 'staging' });
  });

  it.each([{ name: 'canvass.{survey}' }, { name: '' }, { environment: 'langfuse-x' }, { environment: 'A' }])(
    'is refused at once if Langfuse would refuse it: %o',
    (option) => {
      expect(() => createLangfuseDestination({ baseUrl: 'https://x.test', ...KEYS, ...option })).toThrow(
        TypeError,
      );
    },
  );
});

describe('a reply of Langfuse', () => {
  it('pauses all scores after a 429 for the requested time', async () => {
    const { deliver } = await standIn('429 json');
    expect(await deliver()).toEqual({ kind: 'retry', reason: 'HTTP 429', holdMs: 2_000 });
  });

  it('is not requested for a score without trace and session, which is rejected', async () => {
    const { langfuse, deliver } = await standIn();
    expect(await deliver(aScore({ traceId: null, sessionId: null }))).toMatchObject({ kind: 'reject' });
    expect(langfuse.requests()).toBe(0);
  });
});

describe('a push that may be repeated', () => {
  const MIDNIGHT = Date.parse('2026-11-21T00:00:00.000Z');
  const SECOND_MS = 1_000;

  async function atNight(deletionMs = 3 * SECOND_MS) {
    let time = MIDNIGHT - 90 * SECOND_MS;
    const langfuse = await startLangfuseStandIn({ now: () => time, deletionMs: () => deletionMs });
    onTestFinished(() => langfuse.stop());
    const destination = createLangfuseDestination({ baseUrl: langfuse.url, ...KEYS, now: () => time });
    const nextTurn = async (afterMs: number) => {
      time += afterMs;
      return true;
    };
    const deliver = (value: number, triedAt: string | null) =>
      destination.deliver(
        { ...aScore({ rating: value }), ...(triedAt !== null && { at: triedAt }) },
        { timeoutMs: 2_000, nextTurn },
      );
    const valuesOf = () => langfuse.all('response-1').map(({ value }) => value);
    return {
      langfuse,
      destination,
      deliver,
      valuesOf,
      nextTurn,
      goTo(at: number) {
        time = at;
      },
    };
  }

  it('deletes across midnight UTC, waits until the score is gone, and leaves one', async () => {
    const { deliver, valuesOf, goTo, langfuse } = await atNight();
    const triedAt = new Date(MIDNIGHT - 60 * SECOND_MS).toISOString();
    expect(await deliver(2, null)).toEqual({ kind: 'delivered' });
    expect(langfuse.requests()).toBe(1);
    // Langfuse may not have stored a recently accepted score.
    goTo(MIDNIGHT + 10 * SECOND_MS);
    expect(await deliver(4, triedAt)).toMatchObject({ kind: 'retry' });
    expect(langfuse.requests()).toBe(1);
    goTo(MIDNIGHT + 180 * SECOND_MS);
    expect(await deliver(4, triedAt)).toEqual({ kind: 'delivered' });
    expect(valuesOf()).toEqual([4]);
  });

  it('replaces on the same date with one request', async () => {
    const { deliver, valuesOf, goTo, langfuse } = await atNight();
    goTo(MIDNIGHT + 3_600 * SECOND_MS);
    await deliver(2, new Date(MIDNIGHT + 3_600 * SECOND_MS).toISOString());
    expect(await deliver(4, new Date(MIDNIGHT + 3_600 * SECOND_MS).toISOString())).toEqual({
      kind: 'delivered',
    });
    expect(valuesOf()).toEqual([4]);
    expect(langfuse.requests()).toBe(2);
  });

  it('deletes nothing after a push that left nothing, so that no late deletion removes the new score', async () => {
    const { deliver, valuesOf, goTo } = await atNight(12 * SECOND_MS);
    goTo(MIDNIGHT + 600 * SECOND_MS);
    const triedAt = new Date(MIDNIGHT - 60 * SECOND_MS).toISOString();
    expect(await deliver(4, triedAt)).toEqual({ kind: 'delivered' });
    goTo(MIDNIGHT + 700 * SECOND_MS);
    expect(valuesOf()).toEqual([4]);
  });

  it('waits three minutes if a deletion may be running or must find a recent push', async () => {
    const { destination, goTo } = await atNight();
    const at = new Date(MIDNIGHT + 3_600 * SECOND_MS).toISOString();
    const score = { ...aScore(), at, triedAt: at };
    const gone = {
      withdrawn: true,
      rating: null,
      choice: null,
      text: null,
      reasons: null,
      answers: null,
    } as const;
    const withdrawn = { ...score, revision: 1, ...gone };
    const waiting = () =>
      [score, { ...score, revision: 1 }, { ...score, revision: 2 }, withdrawn].map(
        (each) => destination.waits?.(each) !== undefined,
      );
    goTo(MIDNIGHT + 3_779 * SECOND_MS);
    expect(waiting()).toEqual([false, false, true, true]);
    goTo(MIDNIGHT + 3_780 * SECOND_MS);
    expect(waiting()).toEqual([false, false, false, false]);
  });

  it('waits until Langfuse has deleted the older score', async () => {
    const { deliver, valuesOf, goTo } = await atNight(3_600 * SECOND_MS);
    await deliver(2, null);
    goTo(MIDNIGHT + 600 * SECOND_MS);
    expect(await deliver(4, new Date(MIDNIGHT - 60 * SECOND_MS).toISOString())).toEqual({
      kind: 'retry',
      reason: 'Langfuse has not deleted the older score yet',
    });
    expect(valuesOf()).toEqual([2]);
  });
});
