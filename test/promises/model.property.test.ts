import fc from 'fast-check';
import { describe, it } from 'vitest';
import { histories } from '../support/depth.ts';
import { COMMANDS } from '../support/model/commands.ts';
import { finishPurges } from '../support/model/purges.ts';
import { createWorld } from '../support/model/world.ts';

const RUNS = histories(5);

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
