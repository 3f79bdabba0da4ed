import { expect, it } from 'vitest';
import { erase } from '../../../../functions/erase.ts';
import { createErasureLog } from '../../../../shared/data/privacy/erasure-log.ts';
import { ERASURE_LOG } from '../../../../shared/data/table/schema.ts';
import { DAY, SECOND } from '../../../../shared/domain/duration.ts';
import { utcMonth } from '../../../../shared/domain/project.ts';
import { newRetention, type Retention } from '../../../../shared/domain/retention.ts';
import { respond } from '../../../support/fixtures/answered.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';
import { loggedErasures } from '../../../support/fixtures/logged-erasures.ts';
import { createPurgeService } from '../../../support/service/purge-service.ts';
import { START } from '../../../support/service/test-clock.ts';
import type { Tenant } from '../../../support/service/test-service.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

it('expires an entry after 36 days, when no restore can reach back that far', async () => {
  const { service } = await createPurgeService();
  const tenant = await service.tenant();
  await respond(service, tenant, 'ann');
  await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'ann' } });
  const now = service.clock.now();
  const [entry, ...more] = await service.table.erasureLog.query({ partition: utcMonth(now) });
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ mode: 'respondent', [ERASURE_LOG.timeToLive]: (now + 36 * DAY) / SECOND });
});

it("deletes an account's entries when it is purged, except the purge itself", async () => {
  const { service, carryOut } = await createPurgeService();
  const [tenant, other] = [
    await service.tenant({}, [aSurvey(), aSurvey()]),
    await service.tenant({}, [aSurvey(), aSurvey()]),
  ];
  const eraseOf = ({ secretKey }: Tenant, query: Readonly<Record<string, string>>) =>
    service.call(erase, { secretKey, query });
  for (const one of [tenant, other]) {
    await respond(service, one, 'ann');
    await eraseOf(one, { respondentId: 'ann' });
    await eraseOf(one, { surveySlug: one.surveys[0]?.content.slug ?? '' });
  }
  await carryOut();
  service.clock.advance(20 * DAY);
  const before = await loggedErasures(service, other.project.id);
  expect((await loggedErasures(service, tenant.project.id)).map(({ mode }) => mode)).toContain('respondent');

  expect((await eraseOf(tenant, { account: 'true' })).status).toBe(200);
  await carryOut();
  const left = await loggedErasures(service, tenant.project.id);
  expect(new Set(left.map(({ mode }) => mode))).toEqual(new Set(['account']));
  expect(await loggedErasures(service, other.project.id)).toEqual(before);
});

function retentionOf(period: string, now: number): Retention {
  const retention = newRetention(period, now);
  if (retention === undefined) throw new Error(`${period} is for ever`);
  return retention;
}

it('returns the last retention of each project and survey, also across months', async () => {
  const { erasureLog } = await createTestTable();
  const log = createErasureLog(erasureLog);
  const [first, second] = [START, START + 20 * DAY];
  const shop = { projectId: 'shop', retention: retentionOf('60d', first) };
  const survey = { projectId: 'shop', surveyId: 'sv_1', retention: retentionOf('2mo', first) };
  await log.recordRetention({ projectId: 'shop', retention: retentionOf('35d', first - DAY) }, first - DAY);
  await log.recordRetention(survey, first);
  await log.recordRetention({ ...shop, retention: retentionOf('90d', first) }, first);
  await log.recordRetention(shop, second);
  await log.recordRetention({ ...shop, projectId: 'bank' }, second + 1);

  expect(await log.retentionsSince(first, second + 1)).toEqual([
    shop,
    survey,
    { ...shop, projectId: 'bank' },
  ]);
  expect(await log.retentionsSince(first + 1, second + 1)).toEqual([shop, { ...shop, projectId: 'bank' }]);
  const [entry] = await erasureLog.query({ partition: `${utcMonth(first)}#RETENTION` });
  expect(entry).toMatchObject({ [ERASURE_LOG.timeToLive]: (first - DAY + 36 * DAY) / SECOND });
});

it('hides a logged retention from releases that only read erasures, and deletes it with its project', async () => {
  const { erasureLog } = await createTestTable();
  const log = createErasureLog(erasureLog);
  const retention = retentionOf('60d', START);
  for (const projectId of ['shop', 'bank']) await log.recordRetention({ projectId, retention }, START);
  expect(await erasureLog.query({ partition: utcMonth(START) })).toEqual([]);
  await log.forgetExceptPurge('shop', START + DAY);
  expect(await log.retentionsSince(START, START + DAY)).toEqual([{ projectId: 'bank', retention }]);
});
