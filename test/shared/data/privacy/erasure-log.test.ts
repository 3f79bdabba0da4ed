/** How long the log of erasures knows somebody. */

import { expect, it } from 'vitest';
import { erase } from '../../../../functions/erase.ts';
import { ERASURE_LOG } from '../../../../shared/data/table/erasure-log-schema.ts';
import { DAY, SECOND } from '../../../../shared/domain/duration.ts';
import { utcMonth } from '../../../../shared/domain/project.ts';
import { respond } from '../../../support/fixtures/answered.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';
import { loggedErasures } from '../../../support/fixtures/logged-erasures.ts';
import { createPurgeService } from '../../../support/service/purge-service.ts';
import type { Tenant } from '../../../support/service/test-service.ts';

it('an entry expires 36 days later, when no restore can reach back that far', async () => {
  const { service } = await createPurgeService();
  const tenant = await service.tenant();
  await respond(service, tenant, 'ann');
  await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'ann' } });
  const now = service.clock.now();
  const [entry, ...more] = await service.table.erasureLog.query({ partition: utcMonth(now) });
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ mode: 'respondent', [ERASURE_LOG.timeToLive]: (now + 36 * DAY) / SECOND });
});

it("an account's purge empties it of that account, but for the purge itself", async () => {
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
  // Into the next month: what was erased before it is found as well.
  service.clock.advance(20 * DAY);
  const before = await loggedErasures(service, other.project.id);
  expect((await loggedErasures(service, tenant.project.id)).map(({ mode }) => mode)).toContain('respondent');

  expect((await eraseOf(tenant, { account: 'true' })).status).toBe(200);
  await carryOut();
  const left = await loggedErasures(service, tenant.project.id);
  expect(new Set(left.map(({ mode }) => mode))).toEqual(new Set(['account']));
  expect(await loggedErasures(service, other.project.id)).toEqual(before);
});
