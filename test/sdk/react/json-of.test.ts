import { expect, it } from 'vitest';
import { jsonOf, jsonOfTraits } from '../../../sdk/react/json-of.ts';

it('returns the same text for equal values, and none for what is not JSON', () => {
  expect(jsonOf({ a: [1] })).toBe(jsonOf({ a: [1] }));
  expect([jsonOf(1n), jsonOf(undefined)]).toEqual(['', '']);
});

it('detects each changed trait, even beside one that is not JSON', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const throwing = {
    get it() {
      throw new Error('no');
    },
  };
  for (const others of [{}, { id: 42n }, circle, throwing]) {
    const withPlan = (plan: string) =>
      jsonOfTraits(Object.defineProperties({ plan }, Object.getOwnPropertyDescriptors(others)));
    expect(withPlan('pro')).toBe(withPlan('pro'));
    expect(withPlan('pro')).not.toBe(withPlan('free'));
  }
  expect(jsonOfTraits({ orgs: ['a', { b: 1 }] })).not.toBe(jsonOfTraits({ orgs: ['a', { b: 2 }] }));
  expect(jsonOfTraits(undefined)).toBe(jsonOfTraits(null));
});
