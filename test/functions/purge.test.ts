import { expect, it, onTestFinished, vi } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { PURGE_STEP } from '../../functions/purge.ts';
import { compose } from '../../functions/runtime/compose.ts';
import { purgeSweep } from '../../functions/runtime/parts/privacy.ts';
import { createPurgeService } from '../support/service/purge-service.ts';
import { testConfig } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

const { RecordFailure: recordFailure } = PURGE_STEP;

const directiveOf = (Name: string) => [
  { Namespace: 'canvass-test', Dimensions: [[]], Metrics: [{ Name, Unit: 'Count' }] },
];

const measured = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line)).filter(({ _aws }) => _aws !== undefined);

it('counts completed and failed purges, with the project as a property', async () => {
  let broken = false;
  const { service, carryOut, logs } = await createPurgeService({
    arrange(service) {
      const sweep = purgeSweep(service);
      const isAnythingIndexed: typeof sweep.isAnythingIndexed = async (scope) =>
        broken || sweep.isAnythingIndexed(scope);
      purgeSweep.replace(service, { ...sweep, isAnythingIndexed });
    },
  });
  const [first, second] = [await service.tenant(), await service.tenant()];
  await service.call(erase, { secretKey: first.secretKey, query: { account: 'true' } });
  await carryOut();
  const [done, ...more] = measured(logs.splice(0));
  expect(more).toEqual([]);
  expect(done).toMatchObject({ level: 'info', projectId: first.project.id, purge_done: 1 });
  expect(done._aws.CloudWatchMetrics).toEqual(directiveOf('purge_done'));

  broken = true;
  await service.call(erase, { secretKey: second.secretKey, query: { account: 'true' } });
  await carryOut();
  const [failed, ...others] = measured(logs);
  expect(others).toEqual([]);
  expect(failed).toMatchObject({ level: 'error', projectId: second.project.id, purge_failed: 1 });
  expect(failed._aws.CloudWatchMetrics).toEqual(directiveOf('purge_failed'));
});

it('writes metrics of the steps into the namespace of their environment', async () => {
  const settings = testConfig(await createTestTable(), { metricsNamespace: 'canvass-prod' });
  const service = compose(settings);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  await recordFailure(service)({ projectId: 'p' });
  const [line] = write.mock.calls.map(([text]) => JSON.parse(String(text)));
  expect(line._aws.CloudWatchMetrics).toMatchObject([{ Namespace: 'canvass-prod' }]);
});
