/**
 * Starts fast-check properties with the suite's seed. With hundreds of histories a failure is reported without
 * shrinking, because shrinking can exceed the test's timeout, which would hide the seed.
 */

import fc from 'fast-check';
import { IS_WHOLE } from './depth.ts';
import { SEED } from './random.ts';

fc.configureGlobal({ seed: SEED, endOnFailure: IS_WHOLE });
