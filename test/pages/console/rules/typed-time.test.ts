import { expect, it } from 'vitest';
import { toLocal, typedTime } from '../../../../pages/console/rules/typed-time.ts';

it.each(['0002-12-01T09:00', '0020-12-01T09:00', '0202-12-01T09:00'])('%s is a year being typed', (typed) => {
  expect(typedTime(typed)).toBe('unfinished');
});

it('a time is read as it was typed, and an empty control is none', () => {
  const time = typedTime('2026-12-01T09:00') ?? '';
  expect(time).toMatch(/^2026-1[12]-\d\dT\d\d:\d\d:00\.000Z$/);
  expect(toLocal(time)).toBe('2026-12-01T09:00');
  expect([typedTime(''), toLocal('soon')]).toEqual([undefined, '']);
});
