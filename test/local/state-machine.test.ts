import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { purgeSweep } from '../../functions/runtime/parts/privacy.ts';
import { startDailySweep } from '../../local/state-machine.ts';
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

it('sweeps a minute after the start, and every night at 01:30 UTC', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T23:58:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const times: string[] = [];
  const sweep = async (now: number) => String(times.push(new Date(now).toISOString()));
  onTestFinished(startDailySweep({ machine: { sweep }, clock: Date.now, onFailure: () => undefined }));
  vi.advanceTimersByTime(26 * 3_600_000);
  expect(times).toEqual(['2026-11-20T23:59:00.000Z', '2026-11-21T01:30:00.000Z', '2026-11-22T01:30:00.000Z']);
});
