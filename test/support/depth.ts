/**
 * `npm test` checks a fixed sample of the faults and a few random histories. The project `histories` checks every fault
 * and 10 different histories in each run (`TEST_DEPTH=whole`). `npm run test:soak` checks 60 histories and ten times the
 * volumes (`TEST_DEPTH=soak`).
 */

const DEPTH = process.env.TEST_DEPTH;

export const IS_SOAK = DEPTH === 'soak';
export const IS_WHOLE = IS_SOAK || DEPTH === 'whole';

const WHOLE = IS_SOAK ? 60 : 10;

/** `MODEL_RUNS` overrides the number. */
export const histories = (few: number): number =>
  Number(process.env.MODEL_RUNS ?? (IS_WHOLE ? Math.max(WHOLE, few) : few));

export const volume = (soak: number): number => (IS_SOAK ? soak : soak / 10);
