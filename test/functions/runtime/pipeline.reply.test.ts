import { expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { projectSettings } from '../../../functions/runtime/settings-cache.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { createTestService } from '../../support/service/test-service.ts';

it("returns 500 with the contract's error body for a reply beyond the platform's limit, and counts it", async () => {
  const many = Array.from({ length: 500 }, () => aSurvey({}, { question: '"'.repeat(8_000) }));
  const service = await createTestService({
    arrange(composed) {
      const cache = projectSettings(composed);
      const load: typeof cache.load = async (projectId) => {
        const settings = await cache.load(projectId);
        return settings && { ...settings, surveys: new Map(many.map((survey) => [survey.id, survey])) };
      };
      projectSettings.replace(composed, { ...cache, load });
    },
  });
  const tenant = await service.tenant();
  const reply = await service.call(bootstrap, { body: { key: tenant.publishableKey } });
  expect(codeOf(reply)).toBe('500 internal_error');
  expect(reply.body.error.requestId).toBe(reply.headers['x-request-id']);
  expect(JSON.parse(service.logs[0] ?? '')).toMatchObject({
    status: 500,
    projectId: tenant.project.id,
    reply_too_large: 1,
  });
});
