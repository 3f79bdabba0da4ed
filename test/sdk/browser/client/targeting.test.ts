import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TargetingRule } from '../../../../sdk/browser/client/survey.ts';
import { isOnPage, isTargeted } from '../../../../sdk/browser/client/targeting.ts';
import { stickyHash } from '../../../../shared/domain/surveys/sticky-hash.ts';

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

  it('matches without rules, and needs every rule', () => {
    const holds: TargetingRule = { trait: 'plan', op: 'eq', value: 'pro' };
    const fails: TargetingRule = { trait: 'plan', op: 'eq', value: 'free' };
    expect(isTargeted({})).toBe(true);
    expect(isTargeted(TRAITS, [holds, holds])).toBe(true);
    expect(isTargeted(TRAITS, [holds, fails])).toBe(false);
  });

  it('does not match a rule of a newer service', () => {
    const rule = JSON.parse('{"trait":"plan","op":"matches","value":"p.*"}') as TargetingRule;
    expect(isTargeted(TRAITS, [rule])).toBe(false);
  });

  it('obeys the laws of order for any two numbers', () => {
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

/** Textbook FNV-1a in exact arithmetic. */
function reference(text: string): number {
  let hash = 0x811c9dc5n;
  for (let at = 0; at < text.length; at++)
    hash = ((hash ^ BigInt(text.charCodeAt(at))) * 0x01000193n) % 2n ** 32n;
  return Number(hash);
}

describe('the sticky hash', () => {
  it.each([
    ['ann', 'sv_1', 414026045],
    ['', 'sv_1', 4139928270],
    ['Zoë', 'sv_ü', 1183533647],
    ['🙂', 'sv_1', 2613282459],
  ])('of %s and %s is the same in every client', (respondent, survey, hash) => {
    expect(stickyHash(respondent, survey)).toBe(hash);
  });

  it('is FNV-1a over the UTF-16 code units of respondent, NUL, survey', () => {
    expect(reference('foobar')).toBe(0xbf9cf968);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (respondent, survey) => {
        expect(stickyHash(respondent, survey)).toBe(reference(`${respondent}\0${survey}`));
      }),
    );
  });

  it('distributes people evenly', () => {
    const counts = new Array<number>(100).fill(0);
    for (let person = 0; person < 50_000; person++) {
      const bucket = stickyHash(`user-${person}`, 'sv_1') % 100;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(350);
    expect(Math.max(...counts)).toBeLessThan(650);
  });
});

describe('patterns of pages', () => {
  it.each<[string, string[], string[]]>([
    ['/', ['/'], ['/orders']],
    ['/orders', ['/orders', '/orders/'], ['/orders//', '/Orders', '/orders/7', '/my/orders']],
    ['/orders/', ['/orders'], []],
    ['/orders/*', ['/orders/7', '/orders/7/'], ['/orders', '/orders/', '/orders/7/edit']],
    ['/orders/*/edit', ['/orders/7/edit'], ['/orders//edit']],
    ['/*/orders', ['/de/orders'], []],
    ['/orders/**', ['/orders', '/orders/'], ['/ordersystem']],
    ['/orders/**/', ['/orders/7/edit'], []],
    ['/orders/*/**', ['/orders/7'], ['/orders']],
    ['/**', ['/', '/a/b'], []],
    ['/%C3%BCber', ['/%C3%BCber'], []],
    ['/a.c', [], ['/abc']],
    ['/(a+)+b', [], ['/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']],
  ])('match: %s on %j, and not on %j', (pattern, matched, others) => {
    expect([...matched, ...others].filter((path) => isOnPage([pattern], path))).toEqual(matched);
  });

  it('need only one match', () => {
    expect(isOnPage(['/a', '/b/*'], '/b/1')).toBe(true);
    expect(isOnPage(['/a', '/b/*'], '/c')).toBe(false);
    expect(isOnPage([], '/')).toBe(false);
  });

  it('match any path exactly, with an open end, and with a wildcard for any part', () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9_.~%-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.nat(), (parts, pick) => {
        const path = `/${parts.join('/')}`;
        const open = parts.with(pick % parts.length, '*');
        for (const pattern of [path, `${path}/`, `${path}/**`, `/${open.join('/')}`])
          expect(isOnPage([pattern], path)).toBe(true);
        expect(isOnPage([path], `${path}/more`)).toBe(false);
      }),
    );
  });
});
