/**
 * Random histories of several clients, instances and operators against a plain model: single use, suppression, caps,
 * isolation between projects, score transitions, erasure, purges of surveys and projects, expiry and rotation, with
 * indexes that lag and repeat themselves.
 */

import fc from 'fast-check';
import { describe, it } from 'vitest';
import { histories } from '../support/depth.ts';
import { COMMANDS } from '../support/model/commands.ts';
import { finishPurges } from '../support/model/purges.ts';
import { createWorld } from '../support/model/world.ts';

/** The soak run has it check more of them. */
const RUNS = histories(10, 150);

describe('the service and its model', () => {
  it(`agree over ${RUNS} random histories`, { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(COMMANDS, { maxCommands: 40, size: 'max' }),
        fc.nat(),
        async (commands, seed) => {
          const world = await createWorld(seed);
          await fc.asyncModelRun(() => world, commands);
          await finishPurges(world.model, world.real);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
