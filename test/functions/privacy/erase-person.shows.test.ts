import { describe, expect, it } from 'vitest';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { onChange } from '../../../functions/on-change.ts';
import { erasures } from '../../../functions/runtime/parts/privacy.ts';
import { DAY } from '../../../shared/domain/duration.ts';
import { aRecord } from '../../support/fixtures/a-stream.ts';
import { aToken, respond } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { loggedErasures } from '../../support/fixtures/logged-erasures.ts';
import { countShows, report, show, shownRows } from '../../support/fixtures/shown.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

const AT = '2026-11-20T09:30:00.000Z';

const service = await createTestService();

const UNLIMITED = { limits: { ...NO_LIMITS, maxShows: 0 }, rates: { publishable: 0, secret: 0 } };
const aTenant = (surveys = [aSurvey(), aSurvey()]) => service.tenant(UNLIMITED, surveys);

const eraseBy = (tenant: Tenant, respondentId: string) =>
  service.call(erase, { secretKey: tenant.secretKey, query: { respondentId } });
const exportBy = async ({ secretKey }: Tenant, query: Record<string, string>) =>
  (await service.call(exportResponses, { secretKey, query })).body;

describe('the export of a person', () => {
  it('contains impressions, optionally for one survey or some days', async () => {
    const tenant = await aTenant();
    const [first, second] = tenant.surveys.map(({ id, content }) => ({
      surveyId: id,
      surveySlug: content.slug,
      surveyType: content.type,
      at: AT,
    }));
    await show(service, tenant, 'ann', first?.surveyId);
    await show(service, tenant, 'ann', second?.surveyId);
    await show(service, tenant, 'bob', second?.surveyId);
    const body = await exportBy(tenant, { respondentId: 'ann' });
    expect(body).toMatchObject({ count: 0, responses: [], dismissals: [] });
    expect(new Set(body.shows)).toEqual(new Set([first, second]));
    const narrowed = await exportBy(tenant, { respondentId: 'ann', surveySlug: second?.surveySlug ?? '' });
    expect(narrowed.shows).toEqual([second]);
    expect((await exportBy(tenant, { respondentId: 'ann', to: '2026-11-19' })).shows).toEqual([]);
    expect((await exportBy(tenant, { respondentId: 'ann', from: '2026-11-20' })).shows).toHaveLength(2);
    expect(await exportBy(tenant, {})).not.toHaveProperty('shows');
  });

  it('contains them once when it is paged', async () => {
    const tenant = await aTenant();
    await respond(service, tenant, 'ann');
    await respond(service, tenant, 'ann', { surveyId: tenant.surveys[1]?.id });
    const { showToken } = await respond(service, tenant, 'bob');
    await report(service, tenant, showToken);
    const fresh = await service.tenant(UNLIMITED, [aSurvey(), aSurvey(), aSurvey()]);
    for (const { id } of fresh.surveys.slice(0, 2)) await show(service, fresh, 'ann', id);
    for (const { id } of fresh.surveys) await respond(service, fresh, 'ann', { surveyId: id });
    const rows = { responses: 0, shows: 0 };
    let cursor: string | undefined;
    do {
      const page = await exportBy(fresh, { respondentId: 'ann', limit: '1', ...(cursor && { cursor }) });
      rows.responses += page.responses.length;
      rows.shows += page.shows.length;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(rows).toEqual({ responses: 3, shows: 2 });
  });
});

describe('an erasure', () => {
  it('removes impressions, even of a person without answers, and is logged', async () => {
    const tenant = await aTenant();
    await show(service, tenant, 'ann');
    await show(service, tenant, 'bob');
    expect((await eraseBy(tenant, 'ann')).body).toMatchObject({
      responsesDeleted: 0,
      suppressionRetained: 0,
    });
    expect(await countShows(service, tenant)).toBe(1);
    expect((await exportBy(tenant, { respondentId: 'ann' })).shows).toEqual([]);
    const logged = async () => (await loggedErasures(service, tenant.project.id)).length;
    expect(await logged()).toBe(1);
    expect((await eraseBy(tenant, 'ann')).status).toBe(200);
    expect(await logged()).toBe(1);
    service.clock.advance(1);
    await show(service, tenant, 'ann');
    await eraseBy(tenant, 'ann');
    expect([await countShows(service, tenant), await logged()]).toEqual([1, 2]);
    service.clock.advance(-1);
  });

  it('is not undone or counted twice by a repeated report; later impressions are recorded', async () => {
    const limits = { ...UNLIMITED.limits, showWindowMs: DAY };
    const tenant = await service.tenant({ ...UNLIMITED, limits }, [aSurvey(), aSurvey()]);
    const { showToken } = await show(service, tenant, 'ann');
    const unreported = await aToken(service, tenant, 'ann');
    await eraseBy(tenant, 'ann');
    const before = await shownRows(service, tenant);
    for (const token of [showToken, unreported]) {
      expect((await report(service, tenant, token)).status).toBe(201);
    }
    expect(await shownRows(service, tenant)).toEqual(before);
    expect(before.map(({ ttl }) => ttl)).toEqual([(Date.parse(AT) + 31 * DAY) / 1_000]);
    service.clock.advance(1);
    await show(service, tenant, 'ann');
    expect(await countShows(service, tenant)).toBe(1);
    const [after] = await shownRows(service, tenant);
    expect(after?.ttl).toBeGreaterThanOrEqual(before[0]?.ttl);
    service.clock.advance(-1);
  });

  it('leaves none of the impressions reported at the same time, in any order', async () => {
    const tenant = await aTenant();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => aToken(service, tenant, 'ann')));
    await report(service, tenant, tokens[0] ?? '');
    const reports = tokens.map((token) => report(service, tenant, token));
    const [erased, ...replies] = await Promise.all([eraseBy(tenant, 'ann'), ...reports]);
    expect([erased.status, ...replies.map(({ status }) => status)]).toEqual([200, ...tokens.map(() => 201)]);
    expect(await countShows(service, tenant)).toBe(0);
  });

  it('is not undone by pruning an older version of the item', async () => {
    const tenant = await aTenant();
    for (let times = 0; times < 12; times += 1) {
      service.clock.advance(1);
      await show(service, tenant, 'ann');
    }
    const [full] = await shownRows(service, tenant);
    await eraseBy(tenant, 'ann');
    const erased = await shownRows(service, tenant);
    await onChange(service.service)({ Records: [aRecord(undefined, full)] });
    expect(await shownRows(service, tenant)).toEqual(erased);
  });

  it('creates no item: data that a purge deleted in the meantime stays deleted', async () => {
    const tenant = await aTenant();
    await show(service, tenant, 'ann');
    const [row] = await shownRows(service, tenant);
    const target = {
      projectId: tenant.project.id,
      respondentHash: String(row?.pk).split('#').at(-1) ?? '',
      longestQuietPeriodMs: 0,
    };
    const isOutOfTime = () => false;
    await service.table.table.delete({ pk: String(row?.pk), sk: String(row?.sk) });
    await erasures(service.service).eraseByHash({ ...target, isOutOfTime }, service.clock.now());
    await onChange(service.service)({ Records: [aRecord(undefined, row)] });
    expect(await shownRows(service, tenant)).toEqual([]);
  });
});
