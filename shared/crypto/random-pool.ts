/**
 * Random bytes for ids and salts, drawn from the system's generator 4 KB at a time: one call of it costs
 * as much as sealing several show-tokens, whatever its size.
 */

import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4_096;

/** @returns fresh bytes; none is given twice */
export function createRandomPool(fill: (pool: Uint8Array) => void = randomFillSync) {
  let pool = new Uint8Array(0);
  let used = 0;
  return (bytes: number): Uint8Array => {
    if (used + bytes > pool.length) {
      const fresh = new Uint8Array(Math.max(POOL_BYTES, bytes));
      fill(fresh);
      pool = fresh;
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}
