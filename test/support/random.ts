/** Randomness of tests: seeded, the same everywhere. */

import { createDice } from '../../local/demo/demo-answers.ts';

/** Numbers from 0 to 1. */
export const createRandom = createDice;

/**
 * What properties and random histories begin with. The same in every `npm test`, so that a red run says something of
 * the change and is red again; `TEST_SEED=<any number>` explores others.
 */
export const SEED = Number(process.env.TEST_SEED ?? 20_261_122);
