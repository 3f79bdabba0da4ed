import { describe, expect, it } from 'vitest';
import { inFlight } from '../../../../shared/data/table/in-flight.ts';

describe('inFlight', () => {
  it('gives results in the order of the items, and never has more under way than allowed', async () => {
    let underWay = 0;
    let most = 0;
    const doubled = await inFlight([1, 2, 3, 4, 5], 2, async (item) => {
      most = Math.max(most, ++underWay);
      for (let turn = item; turn < 5; turn++) await Promise.resolve();
      underWay -= 1;
      return item * 2;
    });
    expect(doubled).toEqual([2, 4, 6, 8, 10]);
    expect(most).toBe(2);
  });

  it('begins no further item after the first failure', async () => {
    const begun: number[] = [];
    const slow = Promise.withResolvers<void>();
    const all = inFlight([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('the first failed');
      await slow.promise;
    });
    await expect(all).rejects.toThrow('the first failed');
    slow.resolve();
    await new Promise(setImmediate);
    expect(begun).toEqual([1, 2]);
  });
});
