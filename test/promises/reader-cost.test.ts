/** The cost of a leaked reader key (SECURITY.md, "Threats"). */

import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { getResults } from '../../functions/get-results.ts';
import { listComments } from '../../functions/list-comments.ts';
import { listContacts } from '../../functions/list-contacts.ts';
import { listSurveys } from '../../functions/list-surveys.ts';
import { projects } from '../../functions/runtime/parts/projects.ts';
import { aKey, aSurvey } from '../support/fixtures/builders.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { createTestClock, START } from '../support/service/test-clock.ts';
import { createTestService } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { createRecordingClient } from '../support/stand-ins/recording-client.ts';

const INSTANCES = 20;
const REQUESTS = 500;

it(`reads settings once for each of ${INSTANCES} instances at full speed, whatever a key asks for`, async () => {
  const table = await createTestTable();
  const clock = createTestClock();
  const { client, take } = createRecordingClient(table.endpoint);
  const instances = await Promise.all(
    Array.from({ length: INSTANCES }, () =>
      createTestService({ table, clock, client, sharedRateLimits: true }),
    ),
  );
  const [first] = instances;
  if (first === undefined) throw new Error('there is no instance');
  const tenant = await first.tenant({}, [aSurvey({ id: 'sv_a' })]);
  const reader = aKey('reader', tenant.project.id, { scopes: ['results', 'comments'] });
  await projects(first.service).addKey(tenant.project.id, reader.stored);
  const large = {
    followUpRequested: true,
    text: '\u20ac'.repeat(5_000),
    traits: { notes: '\u20ac'.repeat(1_300) },
  };
  const rows = { projectId: tenant.project.id, surveyIds: ['sv_a'], count: 60, momentOf: () => START };
  await seedAnswers(table, { ...rows, responseOf: () => large });
  take();

  const asks = [
    [getResults, { surveySlug: 'made-up' }, 404],
    [getResults, { surveyId: 'sv_a', segment: 'made-up' }, 400],
    [listComments, { surveySlug: 'made-up' }, 404],
    [listSurveys, {}, 200],
    [listComments, { surveyId: 'sv_a', withText: 'false', limit: '100' }, 200],
    [listContacts, { limit: '100', state: 'all' }, 200],
    [getResults, { surveyId: 'sv_a', segment: 'identityKind' }, 200],
  ] as const;
  const statuses: number[] = [];
  for (let request = 0; request < REQUESTS; request += 1) {
    const [endpoint, query, expected] = asks[request % asks.length] ?? asks[0];
    const instance = instances[request % INSTANCES] ?? first;
    const { status } = await instance.call(endpoint, { secretKey: reader.text, query });
    if (status !== expected) expect(status).toBe(429);
    statuses.push(status);
    clock.advance(10);
  }
  const admitted = statuses.filter((status) => status !== 429).length;
  expect(admitted).toBeGreaterThanOrEqual(50 + 10 * 5);
  // The limit is ten requests a second with a burst of fifty, and up to twice that over many instances.
  expect(admitted).toBeLessThanOrEqual(2 * (10 * 5 + 50));
  const calls = take();
  const units = calls.flatMap((call) => Object.values(call.units)).reduce((sum, spent) => sum + spent, 0);
  expect(units).toBeLessThanOrEqual(admitted * 220);
  const settingsReads = calls.filter(({ operation, index }) => operation === 'Query' && index === undefined);
  const results = statuses.filter(
    (status, at) => status === 200 && asks[at % asks.length]?.[0] === getResults,
  );
  expect(settingsReads.length).toBeLessThanOrEqual(INSTANCES + 2 * results.length);
  const page = await first.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
  expect(page.status).toBe(200);
});
