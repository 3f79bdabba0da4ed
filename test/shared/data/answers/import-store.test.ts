import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../../functions/bootstrap.ts';
import { erase } from '../../../../functions/erase.ts';
import { exportResponses } from '../../../../functions/export-responses.ts';
import { getResults } from '../../../../functions/get-results.ts';
import { onChange } from '../../../../functions/on-change.ts';
import { importedRespondentId, respondentHash } from '../../../../shared/crypto/derive.ts';
import { createHistoryFolds } from '../../../../shared/data/answers/history-folds.ts';
import { createImportStore, type ImportStore } from '../../../../shared/data/answers/import-store.ts';
import { TABLE } from '../../../../shared/data/table/schema.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import { earlierForms, type ImportedRow } from '../../../../shared/domain/import/import-row.ts';
import { aRecord } from '../../../support/fixtures/a-stream.ts';
import { respond } from '../../../support/fixtures/answered.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../../support/fixtures/linked-answer.ts';
import { TEST_SHARDS } from '../../../support/fixtures/seed-answers.ts';
import { scanAll } from '../../../support/scan-all.ts';
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

  describe('a repeated import of a corrected line', () => {
    const DAY_1 = Date.parse('2026-02-01T10:00:00Z');
    const FULL = { at: DAY_1, text: 'lovely' };
    const NEW = { at: new Date(DAY_1).toISOString(), text: 'lovely' };
    const line = { respondentId: 'ann', rating: 5 };

    async function prepare(repeat?: 'observation') {
      const tenant = await service.tenant({ limits: NO_LIMITS }, [
        aSurvey(repeat && { repeat }, { type: 'csat' }),
        aSurvey({}, { type: 'csat' }),
      ]);
      const target = {
        projectId: tenant.project.id,
        surveyId: tenant.surveys[0]?.id ?? '',
        isBeside: repeat === 'observation',
      };
      const again = (row: ImportedRow, more = {}) =>
        imports.store({ ...target, ...more }, row, service.clock.now(), earlierForms(row));
      const rows = async () =>
        (await scanAll(service.table, target.projectId)).filter(({ type }) => type === 'response');
      return { tenant, target, again, rows };
    }

    it.each([
      ['its comment', { id: 'r1', at: DAY_1 }, { id: 'r1', ...FULL }],
      ['its time', { id: 'r1', text: 'lovely' }, { id: 'r1', ...FULL }],
      ['both', { id: 'r1' }, { id: 'r1', ...FULL }],
      ['both, without an id', {}, FULL],
      ['its time, without an id', { text: 'lovely' }, FULL],
      ['its comment, without an id', { at: DAY_1 }, FULL],
      ['id, time and comment', {}, { id: 'r1', ...FULL }],
    ])('adds %s once, and results follow', async (_, first, second) => {
      for (const repeat of [undefined, 'observation'] as const) {
        const { tenant, again, rows } = await prepare(repeat);
        expect(await again({ ...line, ...first })).toBe('imported');
        const [before] = await rows();
        service.clock.advance(DAY);
        expect(await again({ ...line, ...second })).toBe('completed');
        const [after, ...more] = await rows();
        expect(more).toEqual([]);
        expect(after).toMatchObject({ ...NEW, id: before?.id, rating: 5 });
        expect(after?.[TABLE.indexes.byProject.sortKey]).toContain(NEW.at);
        for (const known of [second, first, second]) expect(await again({ ...line, ...known })).toBe('known');
        expect(await rows()).toEqual([after]);

        const consume = onChange(service.service);
        await consume({ Records: [aRecord(undefined, before)] });
        await consume({ Records: [aRecord(before, after)] });
        const daily = async (day: unknown) => {
          const surveySlug = tenant.surveys[0]?.content.slug ?? '';
          const query = { surveySlug, from: String(day).slice(0, 10), to: String(day).slice(0, 10) };
          const { body } = await service.call(getResults, { secretKey: tenant.secretKey, query });
          return [body.responses, body.comments];
        };
        expect(await daily(NEW.at)).toEqual([1, 1]);
        if (before?.at !== NEW.at) expect(await daily(before?.at)).toEqual([0, 0]);
      }
    });

    it.each([
      ['with an id', { id: 'r1' }, undefined],
      ['without an id', {}, undefined],
      ['of an observation', { text: 'lovely' }, 'observation'],
    ] as const)(
      'removes a copy %s that has the time of its import when the real time has expired',
      async (_, more, repeat) => {
        const { tenant, again, rows } = await prepare(repeat);
        expect(await again({ ...line, ...more })).toBe('imported');
        const [before] = await rows();
        service.clock.advance(DAY);
        const expired = { ...line, ...more, ...FULL };
        for (const _again of [1, 2])
          expect(await again(expired, { completeFrom: '2026-03-01' })).toBe('expired');
        expect(await rows()).toEqual([]);
        const after = await service.table.table.get({ pk: String(before?.pk), sk: String(before?.sk) });
        expect(after).toMatchObject({ type: 'tombstone' });
        if (repeat === undefined) expect((await suppressionOf(tenant, 'ann')).size).toBe(1);

        const consume = onChange(service.service);
        await consume({ Records: [aRecord(undefined, before)] });
        await consume({ Records: [aRecord(before, after)] });
        const query = {
          surveySlug: tenant.surveys[0]?.content.slug ?? '',
          from: '2026-01-01',
          to: '2026-12-31',
        };
        const { body } = await service.call(getResults, { secretKey: tenant.secretKey, query });
        expect([body.responses, body.imported]).toEqual([0, 0]);
      },
    );

    it.each([
      ['its time was given', { at: DAY_1 + 100 * DAY }, {}],
      ['it was withdrawn', {}, { withdrawn: true, revision: 1 }],
      ['it was revised', {}, { revision: 1 }],
    ])('keeps a copy when the real time has expired but %s', async (_, more, change) => {
      const { again, rows } = await prepare();
      await again({ ...line, id: 'r1', ...more });
      const [row] = await rows();
      const key = { pk: String(row?.pk), sk: String(row?.sk) };
      if (Object.keys(change).length > 0) await service.table.table.update(key, { set: change });
      const expired = { ...line, id: 'r1', ...FULL };
      expect(await again(expired, { completeFrom: '2026-03-01' })).toBe('expired');
      expect(await rows()).toEqual([{ ...row, ...change }]);
    });

    it.each([true, false])(
      'recognizes a line after the survey repeats otherwise (observation first: %s)',
      async (isBeside) => {
        const { again, rows } = await prepare();
        expect(await again(line, { isBeside })).toBe('imported');
        service.clock.advance(DAY);
        expect(await again(line, { isBeside: !isBeside })).toBe('known');
        expect(await again({ ...line, ...FULL }, { isBeside: !isBeside })).toBe('completed');
        expect(await again({ ...line, ...FULL }, { isBeside })).toBe('known');
        expect(await rows()).toMatchObject([NEW]);
      },
    );

    it.each([
      ['words that exist', { id: 'r1', text: 'fine', at: DAY_1 }, {}, { text: 'fine' }],
      ['a rating', { id: 'r1', rating: 4 }, {}, { rating: 4 }],
      ['a withdrawn answer', { id: 'r1' }, { withdrawn: true, revision: 1 }, { withdrawn: true }],
      ['a revised answer', { id: 'r1' }, { revision: 1 }, { revision: 1 }],
      ['a withdrawn answer without an id', {}, { withdrawn: true, revision: 1 }, { withdrawn: true }],
      ['a time that was given', { id: 'r1', text: 'lovely', at: DAY_1 - DAY }, {}, { text: 'lovely' }],
    ])('never changes %s', async (_, first, change, kept) => {
      const { again, rows } = await prepare();
      await again({ ...line, ...first });
      const [row] = await rows();
      const { pk, sk } = { pk: String(row?.pk), sk: String(row?.sk) };
      if (Object.keys(change).length > 0) await service.table.table.update({ pk, sk }, { set: change });
      const [stored] = await rows();
      expect(await again({ ...line, id: 'r1', ...FULL })).toBe('known');
      expect(await rows()).toEqual([stored]);
      expect(stored).toMatchObject(kept);
    });

    it('does not restore the answer of an erased person', async () => {
      const { tenant, again, rows } = await prepare();
      await again({ ...line, id: 'r1' });
      await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'ann' } });
      expect(await again({ ...line, id: 'r1', ...FULL })).toBe('erased');
      expect(await rows()).toEqual([]);
    });

    it('redacts what it adds', async () => {
      const { again, rows } = await prepare();
      await again({ ...line, id: 'r1' });
      const text = 'Write to ann@example.org';
      expect(await again({ ...line, id: 'r1', text }, { redact: true })).toBe('completed and redacted');
      expect(await rows()).toMatchObject([{ text: 'Write to [e-mail]' }]);
    });

    it('completes each answer from one line only, also at the same time', async () => {
      const { again, rows } = await prepare();
      await again(line);
      service.clock.advance(DAY);
      const lines = ['a', 'b', 'c'].map((text, index) => ({ ...line, text, id: text, at: DAY_1 + index }));
      const outcomes = await Promise.all(lines.map((each) => again(each)));
      expect(outcomes.toSorted()).toEqual(['completed', 'imported', 'imported']);
      expect((await rows()).map(({ text }) => text).toSorted()).toEqual(['a', 'b', 'c']);
      for (const each of lines.toReversed()) expect(await again(each)).toBe('known');
    });

    it('recognizes an answer that was corrected twice', async () => {
      const { again, rows } = await prepare();
      await again(line);
      service.clock.advance(DAY);
      const versions = [{ text: 'lovely' }, FULL, { ...FULL, id: 'r1' }];
      const outcomes = ['completed', 'completed', 'known'];
      for (const [index, more] of versions.entries())
        expect(await again({ ...line, ...more })).toBe(outcomes[index]);
      for (const more of versions.slice(2)) expect(await again({ ...line, ...more })).toBe('known');
      expect(await rows()).toMatchObject([NEW]);
    });

    it('stores a line as another answer if it is later than the import', async () => {
      const { again, rows } = await prepare();
      await again(line);
      service.clock.advance(DAY);
      expect(await again({ ...line, at: service.clock.now() - 1 })).toBe('imported');
      expect(await rows()).toHaveLength(2);
    });

    it('stores an export of one survey as answers to another, and leaves the first one', async () => {
      const { tenant, again, rows } = await prepare();
      await again(line);
      const [row] = await rows();
      const exported = { ...line, id: String(row?.id), ...FULL };
      const other = { surveyId: tenant.surveys[1]?.id };
      expect(await again(exported, other)).toBe('imported');
      expect(await again(exported, other)).toBe('known');
      expect((await rows()).toSorted((a, b) => (a.id === row?.id ? -1 : Number(b.id === row?.id)))).toEqual([
        row,
        expect.objectContaining({ ...NEW, ...other }),
      ]);
    });

    it('recognizes an answer of an export from the same project', async () => {
      const { tenant, again, rows } = await prepare();
      await respond(service, tenant, 'ann', { body: { text: undefined } });
      const [row] = await rows();
      expect(await again({ ...line, rating: 3, id: String(row?.id), ...FULL })).toBe('known');
      expect(await rows()).toEqual([row]);
    });
  });
});
