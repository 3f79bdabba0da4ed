/**
 * Random histories of several clients, instances and operators against a plain model: single use, suppression, caps,
 * isolation between projects, score transitions, erasure, purge, expiry and rotation.
 */

import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import { COMMANDS } from '../support/model-commands.ts';
import { createWorld } from '../support/model-world.ts';
import { createTestService, type TestService } from '../support/test-service.ts';

const RUNS = Number(process.env.MODEL_RUNS ?? 300);

describe('the service and its model', () => {
  let base: TestService;
  beforeAll(async () => {
    base = await createTestService();
  });

  it(`agree over ${RUNS} random histories`, { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 40, size: 'max' }), async (commands) => {
        const world = await createWorld(base);
        await fc.asyncModelRun(() => world, commands);
      }),
      { numRuns: RUNS, endOnFailure: false, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: false },
    );
  });
});
