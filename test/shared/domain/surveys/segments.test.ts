import { describe, expect, it } from 'vitest';
import {
  declaredSegments,
  declareSegments,
  placeIn,
  type Segment,
} from '../../../../shared/domain/surveys/segments.ts';

const AT = '2026-11-20T09:30:00.000Z';
const PLAN: Segment = {
  name: 'plan',
  values: [{ text: 'free' }, { text: 'pro', since: AT }, { text: '3', retired: true }],
};

describe('the place of an answer in a segment', () => {
  it.each([
    [{ plan: 'free' }, 0],
    [{ plan: 'pro' }, 1],
    [{ plan: 3 }, 2],
    [{ plan: 'Free' }, 'other'],
    [{ plan: false }, 'other'],
    [{ plan: null }, 'none'],
    [{}, 'none'],
  ])('traits %o: %s', (traits, place) => {
    expect(placeIn(PLAN, { at: AT, traits })).toBe(place);
  });

  it('is `other` for an answer older than the declared value', () => {
    expect(placeIn(PLAN, { at: '2026-11-20T09:29:59.999Z', traits: { plan: 'pro' } })).toBe('other');
  });

  it('is undefined for an answer older than the segment', () => {
    expect(placeIn({ ...PLAN, since: AT }, { at: '2026-11-20T09:29:59.999Z' })).toBeUndefined();
  });

  it('uses the answer’s own task type, not a trait of that name', () => {
    const segment = { name: 'taskType', values: [{ text: 'refund' }] };
    expect(placeIn(segment, { at: AT, taskType: 'refund', traits: { taskType: 'other' } })).toBe(0);
    expect(placeIn(segment, { at: AT, traits: { taskType: 'refund' } })).toBe('none');
  });

  it.each([
    ['label', { labels: { model: 'a' } }],
    ['taskType', { taskType: 'a' }],
    ['channel', { channel: 'a' }],
    ['trait', { traits: { model: 'a' } }],
  ] as const)('of a segment from %s depends on nothing else', (from, answer) => {
    const segment: Segment = { name: 'model', from, values: [{ text: 'a' }] };
    expect(placeIn(segment, { at: AT, ...answer })).toBe(0);
    const others = { labels: { model: 'a' }, taskType: 'a', channel: 'a', traits: { model: 'a' } };
    const nothing = from === 'label' || from === 'trait' ? `${from}s` : from;
    expect(placeIn(segment, { at: AT, ...others, [nothing]: undefined })).toBe('none');
  });

  it('is `none` for a trait that is not an own property', () => {
    expect(placeIn({ name: 'constructor', values: [] }, { at: AT, traits: {} })).toBe('none');
  });
});

it('writes a segment in the short form if its name implies the source', () => {
  const declared = {
    plan: ['a'],
    taskType: ['b'],
    model: { from: 'label', values: ['c'] },
    how: { from: 'channel', values: ['slack'] },
  } as const;
  const segments = declareSegments(undefined, declared, 0);
  expect(declaredSegments(segments)).toEqual(declared);
  const gone = declareSegments(segments, { plan: ['a'] }, 0);
  expect(gone.find(({ name }) => name === 'model')).toMatchObject({ from: 'label', retired: true });
  expect(declaredSegments(declareSegments(gone, declared, 0))).toEqual(declared);
});
