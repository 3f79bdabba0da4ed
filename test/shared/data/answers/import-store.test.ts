import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../../functions/bootstrap.ts';
import { erase } from '../../../../functions/erase.ts';
import { exportResponses } from '../../../../functions/export-responses.ts';
import { importedRespondentId, respondentHash } from '../../../../shared/crypto/derive.ts';
import { createHistoryFolds } from '../../../../shared/data/answers/history-folds.ts';
import { createImportStore, type ImportStore } from '../../../../shared/data/answers/import-store.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import { respond } from '../../../support/fixtures/answered.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../../support/fixtures/linked-answer.ts';
import { TEST_SHARDS } from '../../../support/fixtures/seed-answers.ts';
import { TEST_HASH_SECRET, TEST_HASHING } from '../../../support/service/test-secrets.ts';
import { createTestService, type Tenant, type TestService } from '../../../support/service/test-service.ts';

describe('imports and folded histories', () => {
  let service: TestService;
  let imports: ImportStore;
  beforeAll(async () => {
    service = await createTestService();
    const { table } = service.table;
    imports = createImportStore({ table, secrets: TEST_HASHING, shards: TEST_SHARDS });
  });

  const store = (tenant: Tenant, survey: number, respondentId: string, ago?: number) => {
    const now = service.clock.now();
    const target = {
      projectId: tenant.project.id,
      surveyId: tenant.surveys[survey]?.id ?? '',
      longestQuietPeriodMs: 0,
    };
    const at = ago === undefined ? {} : { at: now - ago };
    return imports.store(target, { respondentId, rating: 5, id: 'r-1', ...at }, now);
  };
  const suppressionOf = async ({ publishableKey: key }: Tenant, userId: string) => {
    const { body } = await service.call(bootstrap, { body: { key, userId } });
    return new Set<string>(body.suppression);
  };

  it.each([100 * DAY, undefined])(
    'suppresses an answer from %s ms ago although newer ones are folded',
    async (ago) => {
      const tenant = await service.tenant(
        { limits: NO_LIMITS },
        Array.from({ length: 10 }, () => aSurvey()),
      );
      for (const { id } of tenant.surveys.slice(0, 9))
        await respond(service, tenant, 'ann', { surveyId: id });
      service.clock.advance(60 * DAY);
      const { id: projectId } = tenant.project;
      const hash = respondentHash(TEST_HASH_SECRET, projectId, 'ann');
      const folds = createHistoryFolds(service.table.table, TEST_SHARDS);
      await folds.fold({ projectId, respondentHash: hash }, service.clock.now());

      expect(await store(tenant, 9, 'ann', ago)).toBe('imported');
      expect(await store(tenant, 9, 'ann', ago)).toBe('known');
      expect(await suppressionOf(tenant, 'ann')).toEqual(new Set(tenant.surveys.map(({ id }) => id)));
    },
  );

  it('does not treat a folded or imported person as erased, and keeps an erased one out', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
    expect(await store(tenant, 0, 'bob', 100 * DAY)).toBe('imported');
    expect(await store(tenant, 1, 'bob', 200 * DAY)).toBe('imported');
    const { secretKey } = tenant;
    const erased = await service.call(erase, { secretKey, query: { respondentId: 'bob' } });
    expect(erased.body).toMatchObject({ responsesDeleted: 2, suppressionRetained: 2 });
    for (const ago of [100 * DAY, DAY, undefined]) expect(await store(tenant, 0, 'bob', ago)).toBe('erased');
    expect(await suppressionOf(tenant, 'bob')).toEqual(new Set(tenant.surveys.map(({ id }) => id)));
  });

  it('stores a line with both ids under the user id, unless the person was erased under either id', async () => {
    const tenant = await service.tenant({ limits: NO_LIMITS });
    const target = { projectId: tenant.project.id, surveyId: tenant.surveys[0]?.id ?? '' };
    const line = (respondentId: string, email: string, id = 'r-1') =>
      imports.store(target, { respondentId, email, rating: 5, id }, service.clock.now());
    expect(await line('ann', 'Ann@Example.org')).toBe('imported');
    expect(await line('ann', 'Ann@Example.org')).toBe('known');
    expect(await line('bob', 'bob@example.org')).toBe('imported');
    const { secretKey } = tenant;
    const query = { respondentId: 'ann', email: 'ann@example.org' };
    const found = await service.call(exportResponses, { secretKey, query: { email: query.email } });
    expect(found.status).toBe(404);
    const erased = await service.call(erase, { secretKey, query });
    expect(erased.body).toMatchObject({ responsesDeleted: 1 });
    expect(await line('ann-2', 'ann@example.org', 'r-2')).toBe('erased');
    expect(await line('ann', 'new@example.org', 'r-3')).toBe('erased');
    expect(await line('bob', 'bob@example.org')).toBe('known');
    const imp = importedRespondentId(TEST_HASH_SECRET, tenant.project.id, 'cy@example.org');
    expect(await line(imp, 'cy@example.org')).toBe('imported');
  });

  it('stores all lines of one person with the same time', async () => {
    const tenant = await service.tenant(
      { limits: NO_LIMITS },
      Array.from({ length: 20 }, () => aSurvey()),
    );
    const outcomes = await Promise.all(
      tenant.surveys.map((_, survey) => store(tenant, survey, 'cy', 90 * DAY)),
    );
    expect(new Set(outcomes)).toEqual(new Set(['imported']));
    expect((await suppressionOf(tenant, 'cy')).size).toBe(20);
  });
});
