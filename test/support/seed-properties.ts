/** Properties of fast-check begin with the suite's seed. */

import fc from 'fast-check';
import { SEED } from './random.ts';

fc.configureGlobal({ seed: SEED });
