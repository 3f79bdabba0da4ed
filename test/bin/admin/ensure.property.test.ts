/** Concurrent and interrupted runs of `project ensure` end with one project and one working key. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { histories, IS_WHOLE } from '../../support/depth.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { anEnsuringPipeline } from '../../support/stack/ensuring-pipeline.ts';

const { newName, whole, takeCalls, disturbed, expectAsWanted } = anEnsuringPipeline(
  await createTestService(),
);

describe('project ensure', () => {
  it.each(['before', 'after'] as const)(
    'reaches the wanted state when it is killed %s any call and run again',
    async (when) => {
      takeCalls();
      await whole(newName());
      const most = takeCalls();
      expect(most).toBeGreaterThan(15);
      for (let at = when === 'before' ? 1 : 2; at <= most; at += IS_WHOLE ? 1 : 7) {
        const name = newName();
        const ended = await disturbed({ dying: { at, when } }, () => whole(name));
        expect([at, ended.status]).toEqual([at, 1]);
        expect([at, (await whole(name)).status]).toEqual([at, 0]);
        await expectAsWanted(name);
      }
    },
  );

  it('reaches the wanted state when two or three run at once, in any order, or are killed midway', async () => {
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 2, max: 3 }),
      fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
      async (order, count, at) => {
        const name = newName();
        const dying = at === undefined ? undefined : { at, when: 'after' as const };
        const holding = () => order.schedule(Promise.resolve());
        const runs = await disturbed({ holding, dying }, () =>
          order.waitFor(Promise.all(Array.from({ length: count }, () => whole(name)))),
        );
        if (at === undefined) expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 0));
        else expect(await whole(name)).toMatchObject({ status: 0 });
        await expectAsWanted(name);
      },
    );
    await fc.assert(property, { numRuns: histories(2) });
  });
});
