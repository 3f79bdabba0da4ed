import { createDice } from '../../local/demo/demo-answers.ts';

export const createRandom = createDice;

/** A fixed seed makes a failure repeatable. `TEST_SEED=NUMBER` sets another. */
export const SEED = Number(process.env.TEST_SEED ?? 20_261_122);
