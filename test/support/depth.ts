/**
 * `npm test` checks a fixed sample of the faults and a few random histories. The project `histories` checks every fault
 * and 20 different histories in each run (`TEST_DEPTH=whole`), and `npm run test:soak` 60 (`TEST_DEPTH=soak`).
 */

const DEPTH = process.env.TEST_DEPTH;

export const IS_SOAK = DEPTH === 'soak';
export const IS_WHOLE = IS_SOAK || DEPTH === 'whole';

const WHOLE = IS_SOAK ? 60 : 20;

/** `MODEL_RUNS` overrides the number. */
export const histories = (few: number): number => Number(process.env.MODEL_RUNS ?? (IS_WHOLE ? WHOLE : few));
