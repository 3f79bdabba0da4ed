import { describe, expect, it } from 'vitest';
import { placeIn, type Segment } from '../../../../shared/domain/surveys/segments.ts';

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

  it('a trait that is no own property of the traits is none', () => {
    expect(placeIn({ name: 'constructor', values: [] }, { at: AT, traits: {} })).toBe('none');
  });
});
