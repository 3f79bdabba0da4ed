/** Mulberry32: small, seeded, the same everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * What properties and random histories begin with. The same in every `npm test`, so that a red run says something of
 * the change and is red again; `TEST_SEED=<any number>` explores others.
 */
export const SEED = Number(process.env.TEST_SEED ?? 20_261_122);
