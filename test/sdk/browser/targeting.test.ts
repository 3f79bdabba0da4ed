import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTargeted } from '../../../sdk/browser/targeting.ts';
import type { TargetingRule } from '../../../sdk/browser/wire.ts';

const TRAITS = { plan: 'pro', age: 30, since: '2024-05-01', beta: true, none: null };

describe('targeting', () => {
  it.each<[boolean, TargetingRule]>([
    [true, { trait: 'plan', op: 'eq', value: 'pro' }],
    [false, { trait: 'plan', op: 'eq', value: 'free' }],
    [false, { trait: 'age', op: 'eq', value: '30' }],
    [true, { trait: 'plan', op: 'neq', value: 'free' }],
    [true, { trait: 'missing', op: 'neq', value: 'free' }],
    [true, { trait: 'plan', op: 'in', value: ['free', 'pro'] }],
    [false, { trait: 'plan', op: 'in', value: ['free'] }],
    [false, { trait: 'plan', op: 'in', value: 'pro' }],
    [true, { trait: 'age', op: 'gt', value: 29 }],
    [false, { trait: 'age', op: 'gt', value: 30 }],
    [true, { trait: 'age', op: 'gte', value: 30 }],
    [true, { trait: 'age', op: 'lt', value: 31 }],
    [true, { trait: 'age', op: 'lte', value: 30 }],
    [false, { trait: 'age', op: 'gt', value: '2' }],
    [true, { trait: 'since', op: 'lt', value: '2025-01-01' }],
    [false, { trait: 'beta', op: 'gte', value: false }],
    [false, { trait: 'missing', op: 'lt', value: 1 }],
    [false, { trait: 'none', op: 'lte', value: 1 }],
    [true, { trait: 'plan', op: 'exists' }],
    [true, { trait: 'plan', op: 'exists', value: true }],
    [false, { trait: 'none', op: 'exists' }],
    [false, { trait: 'missing', op: 'exists' }],
    [true, { trait: 'missing', op: 'exists', value: false }],
    [false, { trait: 'plan', op: 'exists', value: false }],
  ])('%s: %o', (expected, rule) => {
    expect(isTargeted(TRAITS, [rule])).toBe(expected);
  });

  it('holds without rules, and needs every one of them', () => {
    const holds: TargetingRule = { trait: 'plan', op: 'eq', value: 'pro' };
    const fails: TargetingRule = { trait: 'plan', op: 'eq', value: 'free' };
    expect(isTargeted({})).toBe(true);
    expect(isTargeted(TRAITS, [holds, holds])).toBe(true);
    expect(isTargeted(TRAITS, [holds, fails])).toBe(false);
  });

  it('does not hold by a rule that a newer service knows and this client does not', () => {
    const rule = JSON.parse('{"trait":"plan","op":"matches","value":"p.*"}') as TargetingRule;
    expect(isTargeted(TRAITS, [rule])).toBe(false);
  });

  it('keeps the laws of order between any two numbers', () => {
    const number = fc.double({ noNaN: true });
    fc.assert(
      fc.property(number, number, (trait, value) => {
        const holds = (op: TargetingRule['op']) => isTargeted({ trait }, [{ trait: 'trait', op, value }]);
        expect(holds('gt')).toBe(!holds('lte'));
        expect(holds('lt')).toBe(!holds('gte'));
        expect(holds('eq')).toBe(!holds('neq'));
        expect(holds('gte')).toBe(holds('gt') || trait === value);
      }),
    );
  });
});
