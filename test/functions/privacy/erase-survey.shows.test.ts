import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { onChange } from '../../../functions/on-change.ts';
import { aRecord } from '../../support/fixtures/a-stream.ts';
import { aToken } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { countShows, report, show, shownRows } from '../../support/fixtures/shown.ts';
import { createRandom, SEED } from '../../support/random.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createPurgeService } from '../../support/service/purge-service.ts';
import { createLaggingIndex } from '../../support/stand-ins/lagging-index.ts';

const UNLIMITED = { limits: NO_LIMITS, rates: { publishable: 0, secret: 0 } };
const PEOPLE = Array.from({ length: 40 }, (_, index) => `person-${index}`);

describe('a purge', () => {
  it('of a survey removes its impressions of all people, including late ones of cached instances, and no others', async () => {
    const { service, otherInstance, carryOut } = await createPurgeService({
      aroundIndex: (inner) =>
        createLaggingIndex(inner, { random: createRandom(SEED), lag: 0, repeat: 0.3 }).read,
    });
    const tenant = await service.tenant(UNLIMITED, [aSurvey(), aSurvey()]);
    const [first, second] = tenant.surveys;
    const cached = await otherInstance();
    const late = await aToken(cached, tenant, 'late', { surveyId: first?.id });
    for (const person of PEOPLE) await show(service, tenant, person, first?.id);
    for (const person of PEOPLE.slice(0, 10)) await show(service, tenant, person, second?.id);
    const query = { surveySlug: first?.content.slug ?? '' };
    expect((await service.call(erase, { secretKey: tenant.secretKey, query })).status).toBe(200);
    expect(await countShows(service, tenant)).toBe(10);
    expect((await report(service, tenant, late, { surveyId: first?.id })).status).toBe(404);
    expect((await report(cached, tenant, late, { surveyId: first?.id })).status).toBe(201);
    expect(await countShows(service, tenant)).toBe(11);
    await carryOut();
    const rows = await shownRows(service, tenant);
    expect(rows.map(({ shows }) => JSON.stringify([...(shows ?? [])])).join()).not.toContain(first?.id);
    expect(await countShows(service, tenant)).toBe(10);
  });

  it('of an account ends empty; no late report or stream record recreates anything', async () => {
    const { service, otherInstance, carryOut, failures } = await createPurgeService();
    const tenant = await service.tenant(UNLIMITED);
    for (const person of PEOPLE.slice(0, 12)) await show(service, tenant, person);
    await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: PEOPLE[0] ?? '' } });
    const [row] = (await shownRows(service, tenant)).filter(({ shows }) => shows !== undefined);
    const cached = await otherInstance();
    const late = await aToken(cached, tenant, 'late');
    await service.call(erase, { secretKey: tenant.secretKey, query: { account: 'true' } });
    expect((await report(cached, tenant, late)).status).toBe(201);
    await carryOut();
    expect(failures).toEqual([]);
    service.clock.advance(30_000);
    expect((await report(cached, tenant, late)).status).toBe(401);
    await onChange(service.service)({ Records: [aRecord(undefined, row)] });
    const left = await scanAll(service.table, tenant.project.id);
    expect(left.map(({ type, state }) => [type, state])).toEqual([['purge', 'done']]);
    expect((await service.call(bootstrap, { body: { key: tenant.publishableKey } })).status).toBe(401);
  });
});
