import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOnPage } from '../../../sdk/browser/pages.ts';

describe('patterns of pages', () => {
  it.each<[boolean, string, string]>([
    [true, '/', '/'],
    [false, '/', '/orders'],
    [true, '/orders', '/orders'],
    [true, '/orders', '/orders/'],
    [true, '/orders/', '/orders'],
    [false, '/orders', '/orders//'],
    [false, '/orders', '/Orders'],
    [false, '/orders', '/orders/7'],
    [false, '/orders', '/my/orders'],
    [true, '/orders/*', '/orders/7'],
    [true, '/orders/*', '/orders/7/'],
    [false, '/orders/*', '/orders'],
    [false, '/orders/*', '/orders/'],
    [false, '/orders/*', '/orders/7/edit'],
    [true, '/orders/*/edit', '/orders/7/edit'],
    [false, '/orders/*/edit', '/orders//edit'],
    [true, '/*/orders', '/de/orders'],
    [true, '/orders/**', '/orders'],
    [true, '/orders/**', '/orders/'],
    [true, '/orders/**/', '/orders/7/edit'],
    [true, '/orders/*/**', '/orders/7'],
    [false, '/orders/*/**', '/orders'],
    [false, '/orders/**', '/ordersystem'],
    [true, '/**', '/'],
    [true, '/**', '/a/b'],
    [true, '/%C3%BCber', '/%C3%BCber'],
    [false, '/a.c', '/abc'],
    [false, '/(a+)+b', '/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ])('%s: %s on %s', (expected, pattern, path) => {
    expect(isOnPage([pattern], path)).toBe(expected);
  });

  it('one of them has to fit', () => {
    expect(isOnPage(['/a', '/b/*'], '/b/1')).toBe(true);
    expect(isOnPage(['/a', '/b/*'], '/c')).toBe(false);
    expect(isOnPage([], '/')).toBe(false);
  });

  it('any path fits itself, itself with an open end, and itself with a part left open', () => {
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
