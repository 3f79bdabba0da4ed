import { describe, expect, it } from 'vitest';
import { chunk, inFlight, type RetryOptions, retrying } from '../../../../shared/data/table/retry.ts';

describe('inFlight', () => {
  it('returns results in the order of the items, and never runs more than allowed', async () => {
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

  it('starts no further item after the first failure', async () => {
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

  it('does nothing without items', async () => {
    expect(await inFlight([], 4, async () => expect.unreachable())).toEqual([]);
  });
});

describe('chunk', () => {
  it.each([
    [0, []],
    [1, [1]],
    [3, [3]],
    [4, [3, 1]],
    [7, [3, 3, 1]],
  ])('splits %i items, three at a time, into runs of %j', (count, sizes) => {
    const items = Array.from({ length: count }, (_, index) => index);
    const runs = chunk(items, 3);
    expect(runs.map((run) => run.length)).toEqual(sizes);
    expect(runs.flat()).toEqual(items);
  });
});

describe('retrying', () => {
  function noted(options: Partial<RetryOptions> = {}) {
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => pauses.push(milliseconds);
    return { pauses, options: { attempts: 4, firstPauseMs: 10, pause, jitter: () => 0.5, ...options } };
  }

  it('returns the first result, after pauses that double', async () => {
    const { pauses, options } = noted();
    let attempts = 0;
    const result = await retrying(options, async () =>
      ++attempts < 4 ? { retry: new Error('not yet') } : { result: attempts },
    );
    expect(result).toBe(4);
    expect(pauses).toEqual([10, 20, 40]);
  });

  it('jitters every pause between zero and twice its mean', async () => {
    const jitters = [0, 1, 0.25];
    const { pauses, options } = noted({ jitter: () => jitters.shift() ?? 0 });
    await expect(retrying(options, async () => ({ retry: new Error('never') }))).rejects.toThrow('never');
    expect(pauses).toEqual([0, 40, 20]);
  });

  it('throws the last reason after all attempts, without another pause', async () => {
    const { pauses, options } = noted({ attempts: 2 });
    let attempts = 0;
    const all = retrying(options, async () => ({ retry: new Error(`attempt ${++attempts}`) }));
    await expect(all).rejects.toThrow('attempt 2');
    expect(pauses).toHaveLength(1);
  });

  it('returns an undefined result as well', async () => {
    const { pauses, options } = noted();
    expect(await retrying(options, async () => ({ result: undefined }))).toBeUndefined();
    expect(pauses).toEqual([]);
  });

  it('throws what an attempt throws', async () => {
    const { pauses, options } = noted();
    const all = retrying(options, async () => {
      throw new Error('broken');
    });
    await expect(all).rejects.toThrow('broken');
    expect(pauses).toEqual([]);
  });
});
