/**
 * `npm test` checks a fixed sample of the faults and a few random histories. The project `histories` checks 20 different
 * histories and a third of the faults in each run (`TEST_DEPTH=whole`). `npm run test:soak` checks all faults and 60
 * histories (`TEST_DEPTH=soak`).
 */

const DEPTH = process.env.TEST_DEPTH;

export const IS_SOAK = DEPTH === 'soak';
export const IS_WHOLE = IS_SOAK || DEPTH === 'whole';

const WHOLE = IS_SOAK ? 60 : 20;

/** `MODEL_RUNS` overrides the number. */
export const histories = (few: number): number => Number(process.env.MODEL_RUNS ?? (IS_WHOLE ? WHOLE : few));
