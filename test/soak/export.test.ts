import { expect, it } from 'vitest';
import { exportResponses } from '../../functions/export-responses.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { createTestService } from '../support/service/test-service.ts';

const ROWS = 5_000;

it(`exports the same ${ROWS} rows whole with gzip and in pages`, async () => {
  const service = await createTestService();
  const surveys = Array.from({ length: 5 }, () => aSurvey());
  const { project, secretKey } = await service.tenant({}, surveys);
  const ids = await seedAnswers(service.table, {
    projectId: project.id,
    surveyIds: surveys.map(({ id }) => id),
    count: ROWS,
    responseOf: (index) => ({ text: `answer ${index} ${'ä'.repeat(index % 1_700)}` }),
  });
  const headers = { 'accept-encoding': 'gzip' };
  const startedAt = performance.now();
  const whole = await service.call(exportResponses, { secretKey, headers });
  console.log(
    `whole: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s, ${whole.text.length} characters`,
  );
  expect(whole.status).toBe(200);
  expect(whole.body.count).toBe(ROWS);
  expect(whole.text.length).toBeGreaterThan(6 * 1_024 * 1_024);

  expect((await service.call(exportResponses, { secretKey })).body.error.code).toBe('export_too_large');

  const paged: { id: string }[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { limit: '1000', ...(cursor !== undefined && { cursor }) };
    const page = await service.call(exportResponses, { secretKey, query, headers });
    paged.push(...page.body.responses);
    cursor = page.body.nextCursor;
    if (cursor === undefined) break;
  }
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(paged.sort(byId)).toEqual([...whole.body.responses].sort(byId));
  expect(paged.map(({ id }) => id)).toEqual([...ids].sort());
});
