import { describe, expect, it } from 'vitest';
import { createRandomPool } from '../../../shared/crypto/random-pool.ts';

describe('a pool of random bytes', () => {
  it('gives every byte once, over the end of a draw too', () => {
    let drawn = 0;
    const take = createRandomPool((pool) => {
      for (let index = 0; index < pool.length; index += 4) {
        new DataView(pool.buffer).setUint32(index, drawn);
        drawn += 1;
      }
    });
    const seen = new Set<number>();
    for (let count = 0; count < 3_000; count += 1) {
      const bytes = take(12);
      seen.add(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0));
    }
    expect(seen.size).toBe(3_000);
  });

  it('draws seldom, and at once what is larger than the pool', () => {
    let draws = 0;
    const take = createRandomPool(() => {
      draws += 1;
    });
    for (let count = 0; count < 100; count += 1) take(40);
    expect(draws).toBe(1);
    expect(take(10_000)).toHaveLength(10_000);
    expect(draws).toBe(2);
  });

  it('gives nothing after a draw that failed', () => {
    const take = createRandomPool(() => {
      throw new Error('no entropy');
    });
    expect(() => take(16)).toThrow('no entropy');
    expect(() => take(16)).toThrow('no entropy');
  });

  it('is random unless told otherwise', () => {
    const take = createRandomPool();
    expect(Buffer.from(take(16)).equals(Buffer.from(take(16)))).toBe(false);
  });
});
