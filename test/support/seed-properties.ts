/**
 * Properties of fast-check begin with the suite's seed. Where there are hundreds of histories, one that fails is told at
 * once with its seed and path: to look for a smaller one can take longer than the test may, and then not even the seed is
 * known.
 */

import fc from 'fast-check';
import { IS_WHOLE } from './depth.ts';
import { SEED } from './random.ts';

fc.configureGlobal({ seed: SEED, endOnFailure: IS_WHOLE });
