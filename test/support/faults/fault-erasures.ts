import { expect } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { respond } from '../fixtures/answered.ts';
import { loggedErasures } from '../fixtures/logged-erasures.ts';
import { scanAll } from '../scan-all.ts';
import { createTestMachine } from '../service/purge-service.ts';
import { askAgain, type FaultCase, type FaultScenario } from './fault-scenario.ts';

const erasingPerson: FaultScenario = {
  name: 'erase, respondent',
  endpoint: erase,
  success: 200,
  async prepare(faultCase) {
    const { healthy, tenant } = faultCase;
    const { showToken, surveyId } = await respond(healthy, tenant, 'ann');
    const request = { secretKey: tenant.secretKey, query: { respondentId: 'ann' } };
    return {
      request,
      async settle(reply) {
        if (reply.status !== 200) await askAgain(faultCase, erasingPerson, request);
        // The state machine deletes the rest.
        await carryOut(faultCase);
        const { secretKey, publishableKey: key } = tenant;
        const left = await healthy.call(exportResponses, { secretKey, query: { respondentId: 'ann' } });
        expect(left.body.count).toBe(0);
        const { body } = await healthy.call(bootstrap, { body: { key, userId: 'ann' } });
        expect(body.suppression).toEqual([surveyId]);
        const reuse = await healthy.call(submitResponse, { body: { key, surveyId, showToken, rating: 1 } });
        expect(reuse.status).toBe(409);
      },
    };
  },
};

/** Requests to erase reload settings that are older than this. */
const RELOAD_MS = 2_000;

function startedFor({ stepFunctions, tenant }: FaultCase) {
  return [...stepFunctions.executions.values()].filter(({ projectId }) => projectId === tenant.project.id);
}

async function carryOut(faultCase: FaultCase): Promise<void> {
  const { table, clock } = faultCase.healthy;
  const failures: unknown[] = [];
  const machine = createTestMachine(table, { clock, onFailure: (error) => failures.push(error) });
  const openedAt = new Date(clock.now()).toISOString();
  for (const [index, scope] of startedFor(faultCase).entries()) {
    await machine.start(scope, { attempt: index + 1, openedAt });
    await machine.idle();
  }
  expect(failures).toEqual([]);
}

/** A repeated request finds the erasure in the log, and only the record of the purge is left. */
function purging(
  mode: 'survey' | 'account',
  queryOf: (faultCase: FaultCase) => Readonly<Record<string, string>>,
  expectRest: (faultCase: FaultCase) => Promise<void>,
): FaultScenario {
  const scenario: FaultScenario = {
    name: `erase, ${mode}`,
    endpoint: erase,
    success: 200,
    async prepare(faultCase) {
      const { healthy, tenant } = faultCase;
      const [surveyId, otherId] = tenant.surveys.map(({ id }) => id);
      await respond(healthy, tenant, 'ann', { surveyId });
      await respond(healthy, tenant, 'ben', { surveyId: otherId });
      const request = { secretKey: tenant.secretKey, query: queryOf(faultCase) };
      return {
        request,
        async settle(reply) {
          const rows = await scanAll(healthy.table, tenant.project.id);
          const isHidden = rows.some(({ purgedAt }) => purgedAt !== undefined);
          const isWhole = rows.filter(({ type }) => type === 'response').length === 2;
          const isStarted = startedFor(faultCase).length > 0;
          if (isHidden || !isWhole || reply.status === 200) expect(isStarted).toBe(true);
          if (reply.status !== 200) {
            if (mode === 'survey' || !isHidden) await askAgain(faultCase, scenario, request);
            else {
              healthy.clock.advance(RELOAD_MS);
              expect((await healthy.call(erase, request)).status).toBe(401);
            }
          }
          await carryOut(faultCase);
          expect(await loggedErasures(healthy, tenant.project.id)).not.toEqual([]);
          await expectRest(faultCase);
        },
      };
    },
  };
  return scenario;
}

const erasingSurvey = purging(
  'survey',
  ({ tenant }) => ({ surveySlug: tenant.surveys[0]?.content.slug ?? '' }),
  async ({ healthy, tenant }) => {
    const [survey, other] = tenant.surveys;
    const rows = await scanAll(healthy.table, tenant.project.id);
    const left = rows.filter((row) => JSON.stringify(row).includes(survey?.id ?? ''));
    expect(left).toMatchObject([{ type: 'purge', state: 'done' }]);
    const { body } = await healthy.call(exportResponses, { secretKey: tenant.secretKey });
    expect(body.responses).toMatchObject([{ surveyId: other?.id, respondentId: 'ben' }]);
  },
);

const erasingAccount = purging(
  'account',
  () => ({ account: 'true' }),
  async ({ healthy, tenant }) => {
    const left = await scanAll(healthy.table, tenant.project.id);
    expect(left).toMatchObject([{ type: 'purge', state: 'done' }]);
  },
);

export const FAULT_ERASURES: readonly FaultScenario[] = [erasingPerson, erasingSurvey, erasingAccount];
