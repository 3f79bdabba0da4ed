import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { folds, imports } from '../../functions/runtime/parts/answers.ts';
import { surveys } from '../../functions/runtime/parts/projects.ts';
import { respondentHash } from '../../shared/crypto/derive.ts';
import { suppressionKey } from '../../shared/data/table/schema.ts';
import { DAY, HOUR, MINUTE } from '../../shared/domain/duration.ts';
import { respond } from '../support/fixtures/answered.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import type { Tenant } from '../support/service/test-service.ts';
import { createTestService } from '../support/service/test-service.ts';

const service = await createTestService();

const NINETY = { answeredMs: 90 * DAY, dismissedMs: 90 * DAY };

let tenant: Tenant;

const hashIn = ({ project }: Tenant) => respondentHash(TEST_HASH_SECRET, project.id, 'ann');
const fold = () =>
  folds(service.service).fold(
    { projectId: tenant.project.id, respondentHash: hashIn(tenant) },
    service.clock.now(),
  );
const surveyId = () => tenant.surveys[0]?.id ?? '';

async function isAsked(): Promise<boolean> {
  const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
  const isIssued = body.showTokens[surveyId()] !== undefined;
  expect(body.suppression).toEqual(isIssued ? [] : [surveyId()]);
  return isIssued;
}

describe('a survey that repeats after 90 days', () => {
  const answered = async () => {
    expect((await respond(service, tenant, 'ann')).reply.status).toBe(201);
  };
  const imported = async () => {
    const row = { respondentId: 'ann', rating: 7, at: service.clock.now() };
    const target = { projectId: tenant.project.id, surveyId: surveyId() };
    expect(await imports(service.service).store(target, row, service.clock.now())).toBe('imported');
  };

  it.each([
    ['answered', answered, false],
    ['answered and folded', answered, true],
    ['imported', imported, false],
    ['imported beside a fold', imported, true],
  ])('is asked again at 91 days and not at 89: %s', async (_, past, isFolded) => {
    tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({ repeat: NINETY })]);
    await past();
    service.clock.advance(89 * DAY);
    if (isFolded) await fold();
    expect(await isAsked()).toBe(false);
    service.clock.advance(DAY - 10 * MINUTE);
    expect(await isAsked()).toBe(false);
    service.clock.advance(DAY + 10 * MINUTE);
    expect(await isAsked()).toBe(true);
  });

  it.each([answered, imported])('is never asked again after erasure', async (past) => {
    tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({ repeat: NINETY })]);
    await past();
    service.clock.advance(30 * DAY);
    await fold();
    await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'ann' } });
    for (const wait of [61, 400, 3_000]) {
      service.clock.advance(wait * DAY);
      expect(await isAsked()).toBe(false);
    }
  });

  it.each([false, true])(
    'is asked again after the waiting time if it was asked only once before (folded: %s)',
    async (isFolded) => {
      tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey()]);
      await answered();
      service.clock.advance(80 * DAY);
      if (isFolded) await fold();
      const [survey] = tenant.surveys;
      if (survey === undefined) throw new Error('there is one');
      await surveys(service.service).write(tenant.project.id, {
        created: [],
        updated: [{ ...survey, repeat: NINETY }],
      });
      service.clock.advance(9 * DAY);
      expect(await isAsked()).toBe(false);
      service.clock.advance(DAY);
      expect(await isAsked()).toBe(true);
    },
  );

  it('uses the latest answer of a summary that has no times yet, and in all later summaries', async () => {
    tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({ repeat: NINETY }), aSurvey()]);
    const now = service.clock.now();
    const key = suppressionKey(tenant.project.id, hashIn(tenant));
    await service.table.table.put({
      ...key,
      type: 'suppression',
      surveys: new Set([Buffer.from(surveyId().slice(3), 'hex')]),
      answerTimes: new Set([`${now - 10 * DAY}#00000000`, `${now - 40 * DAY}#00000001`]),
      foldedUpTo: now - 2 * DAY,
    });
    service.clock.advance(79 * DAY);
    expect(await isAsked()).toBe(false);
    // A folded answer to another survey does not restart the period.
    await respond(service, tenant, 'ann', { surveyId: tenant.surveys[1]?.id });
    service.clock.advance(26 * HOUR);
    await fold();
    const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
    expect(body.showTokens[surveyId()]).toBeDefined();
    expect(body.suppression).toEqual([tenant.surveys[1]?.id]);
  });
});
