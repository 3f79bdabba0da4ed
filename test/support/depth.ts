/**
 * `npm test` checks a fixed sample of the faults and a few random histories. The project `histories` checks every fault
 * and up to 60 different histories in each run (`TEST_DEPTH=whole`).
 */

export const IS_WHOLE = process.env.TEST_DEPTH === 'whole';

const WHOLE = 60;

/**
 * `MODEL_RUNS` overrides the number.
 * @param whole for histories that take seconds each
 */
export const histories = (few: number, whole = WHOLE): number =>
  Number(process.env.MODEL_RUNS ?? (IS_WHOLE ? whole : few));
