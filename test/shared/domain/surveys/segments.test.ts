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

describe('where an answer is counted in a segment', () => {
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

  it('an answer from before a value was declared is among the others, whenever it is asked', () => {
    expect(placeIn(PLAN, { at: '2026-11-20T09:29:59.999Z', traits: { plan: 'pro' } })).toBe('other');
  });

  it('an answer from before a segment was declared is not counted in it', () => {
    expect(placeIn({ ...PLAN, since: AT }, { at: '2026-11-20T09:29:59.999Z' })).toBeUndefined();
  });

  it('the task type is the answer’s own, not a trait of that name', () => {
    const segment = { name: 'taskType', values: [{ text: 'refund' }] };
    expect(placeIn(segment, { at: AT, taskType: 'refund', traits: { taskType: 'other' } })).toBe(0);
    expect(placeIn(segment, { at: AT, traits: { taskType: 'refund' } })).toBe('none');
  });

  it.each([
    ['label', { labels: { model: 'a' } }],
    ['taskType', { taskType: 'a' }],
    ['channel', { channel: 'a' }],
    ['trait', { traits: { model: 'a' } }],
  ] as const)('a segment from %s looks at nothing else', (from, answer) => {
    const segment: Segment = { name: 'model', from, values: [{ text: 'a' }] };
    expect(placeIn(segment, { at: AT, ...answer })).toBe(0);
    const others = { labels: { model: 'a' }, taskType: 'a', channel: 'a', traits: { model: 'a' } };
    const nothing = from === 'label' || from === 'trait' ? `${from}s` : from;
    expect(placeIn(segment, { at: AT, ...others, [nothing]: undefined })).toBe('none');
  });

  it('a trait that is no own property of the traits is none', () => {
    expect(placeIn({ name: 'constructor', values: [] }, { at: AT, traits: {} })).toBe('none');
  });
});

it('is declared as it was written: short where its name says what it is from', () => {
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
