import { describe, expect, it } from 'vitest';
import { purgeSweep } from '../../functions/runtime/parts/privacy.ts';
import { currentDeadline, withDeadline } from '../../shared/data/table/deadline.ts';
import { createPurgeService } from '../support/service/purge-service.ts';

describe('the local state machine', () => {
  it('runs an execution outside the request that starts it, beyond its deadline', async () => {
    const isFree: boolean[] = [];
    const { machine, failures } = await createPurgeService({
      arrange: (service) => {
        const sweep = purgeSweep(service);
        purgeSweep.replace(service, {
          ...sweep,
          sweepShard: async (...parameters) => {
            isFree.push(currentDeadline() === undefined);
            return sweep.sweepShard(...parameters);
          },
        });
      },
    });
    const attempt = { attempt: 1, openedAt: '2026-11-20T09:30:00.000Z' };
    const scope = { projectId: 'f'.repeat(16) };
    const names = await withDeadline(60_000, () =>
      Promise.all([machine.start(scope, attempt), machine.start(scope, attempt)]),
    );
    await machine.idle();
    expect(failures).toEqual([]);
    expect(isFree).toEqual([true, true, true, true]);
    expect(new Set(names).size).toBe(1);
    expect(await machine.start(scope, attempt)).toBeUndefined();
  });
});
