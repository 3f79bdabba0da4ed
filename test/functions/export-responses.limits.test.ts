import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { walks } from '../../functions/runtime/parts/answers.ts';
import { invokeLambda } from '../../local/lambda-invocation.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { exportOf, GZIP, pagesOf, slugOf } from '../support/fixtures/exported.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import {
  callEvent,
  createTestService,
  type Tenant,
  type TestService,
} from '../support/service/test-service.ts';

const service = await createTestService();

describe('at the 6 MB of a Lambda reply', () => {
  const invoke = async (tenant: Tenant, headers = {}) => {
    const event = callEvent(exportResponses, { secretKey: tenant.secretKey, headers });
    const handler = exportResponses.create(service.service);
    const options = { functionName: 'export-responses', timeoutMs: 30_000 };
    const outcome = await invokeLambda((e: typeof event, c: Context) => handler(e, c), event, options);
    return outcome.kind === 'returned' ? (outcome.result as { statusCode: number; body: string }) : outcome;
  };
  const filled = async (count: number, text: string) => {
    const tenant = await service.tenant();
    const { id: projectId } = tenant.project;
    const surveyIds = tenant.surveys.map(({ id }) => id);
    await seedAnswers(service.table, { projectId, surveyIds, count, responseOf: () => ({ text }) });
    return tenant;
  };

  it('fits just below; just above it is 400 export_too_large, and gzip or pages still return everything', async () => {
    const text = 'x'.repeat(5_000);
    const fits = await invoke(await filled(1_120, text));
    expect(fits).toMatchObject({ statusCode: 200 });
    expect(JSON.stringify(fits).length).toBeGreaterThan(5.9 * 1_024 * 1_024);
    const tenant = await filled(1_160, text);
    const refused = await invoke(tenant);
    expect(refused).toMatchObject({ statusCode: 400, body: expect.stringContaining('export_too_large') });
    expect(refused).toMatchObject({ body: expect.stringContaining('limit') });
    expect((await exportOf(service, tenant, {}, GZIP)).body.count).toBe(1_160);
    const pages = await pagesOf(service, tenant, { limit: '1000' });
    expect(pages.length).toBeGreaterThan(2);
    expect(new Set(pages.flatMap((page) => page.responses.map(({ id }) => id))).size).toBe(1_160);
  });

  it('counts characters in escaped form', async () => {
    const tenant = await filled(330, '"'.repeat(5_000));
    expect(await invoke(tenant)).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('export_too_large'),
    });
    expect(
      (await pagesOf(service, tenant, { limit: '1000' })).reduce((sum, { count }) => sum + count, 0),
    ).toBe(330);
  });
});

describe('when time runs out', () => {
  /** Each row takes two seconds, so a request reads nine. */
  async function aSlowService(): Promise<TestService> {
    const { clock, service: plain } = await createTestService({ table: service.table });
    async function* slowly<T>(steps: AsyncIterable<T>) {
      for await (const step of steps) {
        clock.advance(2_000);
        yield step;
      }
    }
    const own = walks(plain);
    const ofProject: typeof own.ofProject = (...query) => slowly(own.ofProject(...query));
    const ofRespondents: typeof own.ofRespondents = (...query) => slowly(own.ofRespondents(...query));
    return createTestService({
      table: service.table,
      clock,
      arrange: (slow) => walks.replace(slow, { ...own, ofProject, ofRespondents }),
    });
  }

  it('400 export_too_large for a whole export; a page ends early instead', async () => {
    const tenant = await service.tenant();
    const surveyIds = tenant.surveys.map(({ id }) => id);
    await seedAnswers(service.table, { projectId: tenant.project.id, surveyIds, count: 30 });
    const slow = await aSlowService();
    const whole = await slow.call(exportResponses, { secretKey: tenant.secretKey });
    expect(whole.status).toBe(400);
    expect(whole.body.error.code).toBe('export_too_large');
    const pages = await pagesOf(slow, tenant, { limit: '100' });
    expect(pages.map(({ count }) => count)).toEqual([9, 9, 9, 3]);
    expect(new Set(pages.flatMap(({ responses }) => responses.map(({ id }) => id))).size).toBe(30);
  });

  it('makes progress with pages over used tokens, which an export leaves out', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS });
    const { project, secretKey } = tenant;
    const surveyIds = tenant.surveys.map(({ id }) => id);
    await seedAnswers(service.table, {
      projectId: project.id,
      surveyIds,
      count: 40,
    });
    for (const person of Array.from({ length: 36 }, (_, index) => `person-${index}`)) {
      const query = { respondentId: person };
      expect((await service.call(erase, { secretKey, query })).status).toBe(200);
    }
    const pages = await pagesOf(await aSlowService(), tenant, { limit: '100' });
    expect(pages.length).toBeGreaterThan(4);
    expect(pages.some(({ count }) => count === 0)).toBe(true);
    expect(pages.flatMap(({ responses }) => responses)).toHaveLength(4);
  });

  it('makes progress with a person’s pages over answers to other surveys', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    const [first = '', second = ''] = tenant.surveys.map(({ id }) => id);
    const common = { projectId: tenant.project.id, respondentOf: () => 'ann' };
    await seedAnswers(service.table, { ...common, surveyIds: [first], count: 40 });
    const momentOf = (index: number) => service.clock.now() + 1_000 + index;
    await seedAnswers(service.table, { ...common, surveyIds: [second], count: 2, momentOf });
    const query = { respondentId: 'ann', surveySlug: slugOf(tenant, 1), limit: '100' };
    const pages = await pagesOf(await aSlowService(), tenant, query);
    expect(pages.map(({ count }) => count)).toEqual([0, 0, 0, 0, 2]);
  });
});
