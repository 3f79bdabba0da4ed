import fc from 'fast-check';
import { expect } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { listPendingScores } from '../../../functions/list-pending-scores.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import { scanAll } from '../scan-all.ts';
import { at, command, instance, outcomeOf, project } from './command.ts';
import { redeem } from './redeeming.ts';
import { createModelProject, type Model, type Real, SURVEYS_EACH } from './world.ts';

/** Instances cache settings for 30 s. */
export function forgetSettings(model: Model, { clock }: Real): void {
  clock.advance(31 * SECOND);
  model.now = clock.now();
}

/** The state machine waits until the indexes have caught up. */
async function carryOut({ index, purges }: Real): Promise<void> {
  index.settle();
  await purges.carryOut();
  expect(purges.failures).toEqual([]);
}

export const purging = fc.record({ survey: fc.nat({ max: SURVEYS_EACH - 1 }), instance }).map((a) =>
  command(
    `purge ${JSON.stringify(a)}`,
    async (model, real) => {
      const tenant = at(real.tenants, 1);
      const owner = at(model.projects, 1);
      const surveyId = at(owner.surveys, a.survey);
      const slug = tenant.surveys.find(({ id }) => id === surveyId)?.content.slug ?? '';
      const request = { secretKey: tenant.secretKey, query: { surveySlug: slug } };
      const reply = await at(real.instances, a.instance).call(erase, request);
      expect(outcomeOf(reply)).toBe('200');
      owner.surveys = owner.surveys.filter((id) => id !== surveyId);
      owner.answers = owner.answers.filter((answer) => answer.surveyId !== surveyId);
      forgetSettings(model, real);
      await carryOut(real);
    },
    ({ projects }) => at(projects, 1).surveys.length > 1,
  ),
);

/** An instance with cached settings may still store an answer, which the purge has to delete. */
export const closing = fc.record({ project, instance, late: fc.nat() }).map((a) =>
  command(
    `close ${JSON.stringify(a)}`,
    async (model, real) => {
      const tenant = at(real.tenants, a.project);
      const { secretKey, publishableKey: key } = tenant;
      const asked = at(real.instances, a.instance);
      const reply = await asked.call(erase, { secretKey, query: { account: 'true' } });
      expect(outcomeOf(reply)).toBe('200');
      expect(outcomeOf(await asked.call(bootstrap, { body: { key } }))).toBe('401 invalid_key');
      const own = model.tokens.filter((token) => token.project === a.project);
      if (own.length > 0) {
        const token = at(own, a.late);
        const use = { token, kind: 'response' as const, by: a.project, sessionId: token.sessionId };
        await redeem(at(real.instances, a.instance + 1), tenant, use);
      }
      forgetSettings(model, real);
      model.purged.push({ tenant, tokens: own, isEmpty: false });
      model.tokens = model.tokens.filter((token) => token.project !== a.project);
      real.tenants[a.project] = await real.newTenant(a.project);
      model.projects[a.project] = createModelProject(at(real.tenants, a.project));
    },
    ({ projects }) => at(projects, a.project).answers.length > 0,
  ),
);

const hasOpenPurges = ({ purged }: Readonly<Model>) => purged.some(({ isEmpty }) => !isEmpty);

export async function finishPurges(model: Model, real: Real): Promise<void> {
  if (!hasOpenPurges(model)) return;
  const { table } = at(real.instances, 0);
  const others = () => Promise.all(real.tenants.map((tenant) => scanAll(table, tenant.project.id)));
  const before = await others();
  await carryOut(real);
  expect(await others()).toEqual(before);
  for (const closed of model.purged) {
    const left = await scanAll(table, closed.tenant.project.id);
    expect(left).toMatchObject([{ type: 'purge', state: 'done' }]);
    closed.isEmpty = true;
  }
}

export const carryingOut = fc.constant(command('carry out', finishPurges, hasOpenPurges));

export const usingPurgedKeys = fc
  .record({
    purged: fc.nat(),
    instance,
    by: fc.constantFrom('bootstrap', 'submit', 'poll', 'export', 'erase'),
  })
  .map((a) =>
    command(
      `use a purged key ${JSON.stringify(a)}`,
      async ({ purged }, { instances }) => {
        const { tenant, tokens } = at(purged, a.purged);
        const { secretKey, publishableKey: key } = tenant;
        const service = at(instances, a.instance);
        const [token] = tokens;
        const submission = { key, surveyId: token?.surveyId, showToken: token?.text, rating: 7 };
        const reply = await {
          bootstrap: () => service.call(bootstrap, { body: { key, userId: 'ann' } }),
          submit: () => service.call(submitResponse, { body: submission }),
          poll: () => service.call(listPendingScores, { secretKey }),
          export: () => service.call(exportResponses, { secretKey }),
          erase: () => service.call(erase, { secretKey, query: { account: 'true' } }),
        }[a.by]();
        expect(outcomeOf(reply)).toBe('401 invalid_key');
      },
      ({ purged }) => purged.length > 0,
    ),
  );
