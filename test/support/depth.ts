/**
 * How much the long suites check. `npm test` checks a fixed sample of the faults and the first of the random histories;
 * the project `histories` checks every fault and up to 60 histories, different ones in each run (`TEST_DEPTH=whole`).
 */

export const IS_WHOLE = process.env.TEST_DEPTH === 'whole';

const WHOLE = 60;

/**
 * How many random histories to check; `MODEL_RUNS` is another number.
 * @param whole of those that take seconds each, fewer
 */
export const histories = (few: number, whole = WHOLE): number =>
  Number(process.env.MODEL_RUNS ?? (IS_WHOLE ? whole : few));
