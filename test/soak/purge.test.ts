/** Purges while people continue to answer, at ten times real time. */

import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { PATIENT_CLIENT } from '../../functions/purge.ts';
import { compose } from '../../functions/runtime/compose.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { createLocalStateMachine } from '../../local/state-machine.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { purgeDefinition } from '../../shared/purge/state-machine.ts';
import { volume } from '../support/depth.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { scanAll } from '../support/scan-all.ts';
import { START } from '../support/service/test-clock.ts';
import {
  createTestService,
  type Tenant,
  type TestService,
  testConfig,
} from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

const ANSWERS = volume(100_000);
const SURVEYS = 20;
const WRITERS = 4;
const SPEED = 10;

async function keepAnswering(
  instance: TestService,
  { publishableKey: key }: Tenant,
  name: string,
): Promise<number> {
  for (let accepted = 0; ; ) {
    const { status, body } = await instance.call(bootstrap, { body: { key, userId: `${name}-${accepted}` } });
    if (status === 401) return accepted;
    expect(status).toBe(200);
    const [surveyId = '', showToken] = Object.entries(body.showTokens)[0] ?? [];
    const reply = await instance.call(submitResponse, { body: { key, surveyId, showToken, rating: 3 } });
    expect([201, 401]).toContain(reply.status);
    if (reply.status === 201) accepted += 1;
  }
}

it(`purges ${ANSWERS} answers while others are written, and leaves only the record of the purge`, async () => {
  const table = await createTestTable();
  const began = Date.now();
  const clock = { now: () => START + (Date.now() - began) * SPEED, advance: () => undefined };
  const { WaitForCaches, WaitForIndexes } = purgeDefinition(String).States;
  const failures: unknown[] = [];
  const machine = createLocalStateMachine({
    service: compose(testConfig(table), {
      clock: clock.now,
      log: createLogger(() => undefined),
      clientSettings: PATIENT_CLIENT,
    }),
    waits: {
      WaitForCaches: (WaitForCaches.Seconds * SECOND) / SPEED,
      WaitForIndexes: (WaitForIndexes.Seconds * SECOND) / SPEED,
    },
    onFailure: (_, error) => failures.push(error),
  });
  const instance = () => createTestService({ table, clock, starter: machine });
  const service = await instance();
  const surveys = Array.from({ length: SURVEYS }, () => aSurvey());
  const tenant = await service.tenant({ limits: NO_LIMITS }, surveys);
  const other = await service.tenant({ limits: NO_LIMITS });
  const seed = (projectId: string, of: Tenant, count: number) =>
    seedAnswers(table, {
      projectId,
      surveyIds: of.surveys.map(({ id }) => id),
      count,
      responseOf: (index) => (index % 4 === 0 ? undefined : { text: 'x'.repeat(index % 400) }),
    });
  await seed(other.project.id, other, 500);
  const before = await scanAll(table, other.project.id);
  await seed(tenant.project.id, tenant, ANSWERS);

  const instances = await Promise.all(Array.from({ length: WRITERS }, instance));
  const writers = instances.map((writer, index) => keepAnswering(writer, tenant, `writer-${index}`));
  const startedAt = performance.now();
  const erased = await service.call(erase, { secretKey: tenant.secretKey, query: { account: 'true' } });
  expect(erased.status).toBe(200);
  const accepted = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0);
  await machine.idle();
  const seconds = (performance.now() - startedAt) / SECOND;

  expect(failures).toEqual([]);
  expect(accepted).toBeGreaterThan(0);
  const left = await scanAll(table, tenant.project.id);
  expect(left).toMatchObject([{ type: 'purge', state: 'done', projectId: tenant.project.id }]);
  expect(left[0]?.responses + left[0]?.dismissals).toBe(ANSWERS + accepted);
  expect(await scanAll(table, other.project.id)).toEqual(before);
  console.log(`purged ${ANSWERS + accepted} answers in ${seconds.toFixed(1)} s, ${accepted} of them new`);
});
