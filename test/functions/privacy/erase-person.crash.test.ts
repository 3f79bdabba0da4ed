import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { DAY } from '../../../shared/domain/duration.ts';
import { createCrashingClient } from '../../support/faults/crashing-client.ts';
import { type Answered, dismiss, respond } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { scanAll } from '../../support/scan-all.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

/** Only one of them has data. */
const BOTH_IDS = { respondentId: 'ann', email: 'ann@example.org' };

const service = await createTestService();

describe('erasing a respondent, interrupted at every call', () => {
  async function aPerson(): Promise<{ tenant: Tenant; live: Answered }> {
    const surveys = [aSurvey(), aSurvey(), aSurvey(), aSurvey()];
    const tenant = await service.tenant(
      { limits: { quietPeriodMs: 0, monthlyCap: 3 }, tokenLifetimeMs: DAY },
      surveys,
    );
    await respond(service, tenant, 'ann', { body: { text: 'private words' } });
    service.clock.advance(2 * DAY);
    const live = await respond(service, tenant, 'ann', {
      surveyId: surveys[1]?.id,
      body: { text: 'private words' },
    });
    await dismiss(service, tenant, 'ann', { surveyId: surveys[2]?.id });
    return { tenant, live };
  }

  async function expectSuppressed({ publishableKey: key, surveys }: Tenant) {
    const reply = await service.call(bootstrap, { body: { key, userId: 'ann' } });
    expect(new Set(reply.body.suppression)).toEqual(new Set(surveys.slice(0, 3).map(({ id }) => id)));
    // Three answers in 30 days reach the cap.
    expect(reply.body.showTokens).toEqual({});
  }

  async function crashAt(tenant: Tenant, call: number, when: 'before' | 'after'): Promise<boolean> {
    const { client, hasCrashed } = createCrashingClient(service.table.endpoint, { call, when });
    const dying = await createTestService({ client, table: service.table, clock: service.clock });
    const reply = await dying.call(erase, { secretKey: tenant.secretKey, query: BOTH_IDS });
    expect(reply.status).toBe(hasCrashed() ? 500 : 200);
    return hasCrashed();
  }

  for (const when of ['before', 'after'] as const) {
    it(`completes when repeated, interrupted ${when} DynamoDB performs the call`, async () => {
      let crashes = 0;
      for (let call = 1; ; call += 1) {
        const { tenant, live } = await aPerson();
        const crashed = await crashAt(tenant, call, when);
        await expectSuppressed(tenant);
        const repeated = await service.call(erase, {
          secretKey: tenant.secretKey,
          query: BOTH_IDS,
        });
        expect(repeated.status).toBe(200);
        await expectSuppressed(tenant);

        const rows = (await scanAll(service.table, tenant.project.id)).filter(({ pk }) => pk.includes('#R#'));
        const types = rows.map(({ type }) => type);
        expect(types.sort()).toEqual(['suppression', 'suppression', 'tombstone', 'tombstone']);
        const marked = rows.filter(({ erasedAt }) => erasedAt !== undefined);
        expect(marked.map(({ type }) => type)).toEqual(['suppression', 'suppression']);
        expect(JSON.stringify(rows)).not.toMatch(/"ann"|private words/);
        const reused = await service.call(submitResponse, {
          body: { key: tenant.publishableKey, surveyId: live.surveyId, showToken: live.showToken, rating: 1 },
        });
        expect(reused.status).toBe(409);
        if (!crashed) break;
        crashes += 1;
      }
      // Settings, key use, the person's rows, log, suppression, one write for each of three answers, the rows again
      // after marking; for the other id three reads, log and suppression.
      expect(crashes).toBe(14);
    });
  }
});
