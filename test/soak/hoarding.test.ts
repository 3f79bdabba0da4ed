import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { volume } from '../support/depth.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { HISTORY_UNITS, hoard, readsOf } from '../support/fixtures/hoard.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { createTestMachine } from '../support/service/purge-service.ts';
import { createTestService } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { createRecordingClient } from '../support/stand-ins/recording-client.ts';

const ANSWERS = volume(10_000);

it('costs at most 2 queries and 48 read units, and can be erased', async () => {
  const table = await createTestTable();
  const recording = createRecordingClient(table.endpoint);
  const failures: unknown[] = [];
  const clock = { now: Date.now, advance: () => undefined };
  const machine = createTestMachine(table, { clock, onFailure: (error) => failures.push(error) });
  const service = await createTestService({ table, client: recording.client, clock, starter: machine });
  const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey()]);
  await hoard(table, tenant, ANSWERS);
  const { publishableKey: key, secretKey } = tenant;
  const boot = () => service.call(bootstrap, { body: { key, userId: 'ann' } });
  const mint = () =>
    service.call(mintTokens, { secretKey, body: { respondentId: 'ann', sessionId: 'session' } });
  await boot();

  for (const call of [boot, mint]) {
    recording.take();
    expect((await call()).status).toBe(200);
    const { queries, units } = readsOf(recording);
    expect(queries).toBeLessThanOrEqual(2);
    expect(units).toBeLessThanOrEqual(HISTORY_UNITS);
  }

  // Uses real time. If the request reaches its time limit, the state machine deletes the rest.
  const startedAt = Date.now();
  const { status, body } = await service.call(erase, { secretKey, query: { respondentId: 'ann' } });
  console.log(`erase: ${body.responsesDeleted} of ${ANSWERS} in ${Date.now() - startedAt} ms; ${body.note}`);
  expect(status).toBe(200);
  await machine.idle();
  expect(failures).toEqual([]);
  const again = await service.call(erase, { secretKey, query: { respondentId: 'ann' } });
  expect(again.body).toMatchObject({ responsesDeleted: 0, dismissalsDeleted: 0 });
});
