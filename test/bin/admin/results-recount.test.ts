import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resultsPartition, surveyTotalKey } from '../../../shared/data/table/schema.ts';
import { DAY } from '../../../shared/domain/duration.ts';
import type { Survey } from '../../../shared/domain/surveys/survey.ts';
import { type AdminCli, createAdminCli, failed } from '../../support/admin-cli.ts';
import { deliver } from '../../support/fixtures/a-stream.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { recount, shownResults } from '../../support/model/recount.ts';
import { scanAll } from '../../support/scan-all.ts';
import { startRecount } from '../../support/service/stepped-recount.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';

const PLAN = { name: 'plan', values: [{ text: 'free' }, { text: 'pro' }] };

describe('results recount', () => {
  let service: TestService;
  let admin: AdminCli;
  let tenant: Tenant;
  let survey: Survey;
  let project: readonly string[];

  beforeAll(async () => {
    service = await createTestService();
    // Sleeping only advances the clock.
    admin = createAdminCli(service, { sleep: async (ms) => service.clock.advance(ms) });
  });

  /** A survey whose answers were never counted, as in a release without results. */
  beforeEach(async () => {
    tenant = await service.tenant({}, [aSurvey({ segments: [PLAN] }), aSurvey()]);
    project = ['--project', tenant.project.id];
    survey = tenant.surveys[0] as Survey;
    await seed(160);
  });

  const seed = (count: number) =>
    seedAnswers(service.table, {
      projectId: tenant.project.id,
      surveyIds: tenant.surveys.map(({ id }) => id),
      count,
      momentOf: (index) => service.clock.now() - (index % 90) * DAY - 1,
      responseOf: (index) =>
        index % 7 === 6 ? undefined : { rating: index % 11, text: index % 3 === 0 ? 'words' : undefined },
    });

  const rows = () => scanAll(service.table, tenant.project.id);
  const results = async () => (await rows()).filter(({ type }) => type === 'result');
  const responses = async (id: string) =>
    (await rows()).filter(({ type, surveyId }) => type === 'response' && surveyId === id).length;

  it('counts answers that were never counted, in every survey of the project', async () => {
    await seed(1_000);
    const { surveys } = await admin.json('results', 'recount', '--all', ...project);
    const expected = await Promise.all(
      tenant.surveys.map(async ({ id, content }) => ({
        slug: content.slug,
        before: 0,
        responses: await responses(id),
      })),
    );
    expect(
      surveys.toSorted((a: { slug: string }, b: { slug: string }) => a.slug.localeCompare(b.slug)),
    ).toEqual(expected.toSorted((a, b) => a.slug.localeCompare(b.slug)));
    const all = await rows();
    for (const { id } of tenant.surveys) expect(shownResults(all, id)).toEqual(recount(all, id));
  });

  it('changes only the named survey, in `results show` and in `survey list`', async () => {
    await admin.run('results', 'recount', survey.content.slug, ...project);
    const shown = await admin.json('results', 'show', survey.content.slug, ...project);
    const expected = await responses(survey.id);
    expect(shown.responses).toBe(expected);
    expect(shown.dismissals).toBeGreaterThan(0);
    const total = await service.table.table.get(surveyTotalKey(tenant.project.id, survey.id));
    // The maximum and the quota use this total, which a recount does not change.
    expect(total?.responses).toBe(0);
    const [, other] = tenant.surveys;
    expect((await admin.json('results', 'show', other?.content.slug ?? '', ...project)).responses).toBe(0);
  });

  it('leaves no items of earlier numbers or of a killed recount', async () => {
    const killed = startRecount(service, [survey.content.slug, ...project]);
    await killed.go(15);
    await killed.kill(true);
    expect((await results()).some(({ sk }) => String(sk).includes('!'))).toBe(true);
    await admin.json('results', 'recount', survey.content.slug, ...project);
    await admin.json('results', 'recount', survey.content.slug, ...project);
    expect(new Set((await results()).map(({ sk }) => /!(\d+)/.exec(String(sk))?.[1])).size).toBe(1);
    const all = await rows();
    expect(shownResults(all, survey.id)).toEqual(recount(all, survey.id));
    const total = all.find(({ sk }) => sk === `TOTAL#SURVEY#${survey.id}`);
    expect(Object.keys(total ?? {}).filter((name) => name.startsWith('answered'))).toHaveLength(1);
  });

  it('shows the earlier numbers until the new ones are complete', async () => {
    await admin.json('results', 'recount', survey.content.slug, ...project);
    const before = await admin.json('results', 'show', survey.content.slug, ...project);
    const second = startRecount(service, [survey.content.slug, ...project]);
    await second.go(20);
    expect(await admin.json('results', 'show', survey.content.slug, ...project)).toEqual(before);
    await second.end();
    expect(await admin.json('results', 'show', survey.content.slug, ...project)).toEqual(before);
  });

  it('ends with a message when another recount begins', async () => {
    const first = startRecount(service, [survey.content.slug, ...project]);
    await first.go(15);
    await admin.json('results', 'recount', survey.content.slug, ...project);
    const reason = expect.stringContaining('another recount of it has started');
    expect(await first.end()).toMatchObject({ status: 1, stderr: reason });
    const all = await rows();
    expect(shownResults(all, survey.id)).toEqual(recount(all, survey.id));
  });

  it('ends when the survey is purged, and leaves no items of it', async () => {
    const first = startRecount(service, [survey.content.slug, ...project]);
    await first.go(15);
    await service.table.table.delete(surveyTotalKey(tenant.project.id, survey.id));
    const left = await results();
    const reason = expect.stringContaining('it is being purged');
    expect(await first.end()).toMatchObject({ status: 1, stderr: reason });
    expect(await results()).toEqual(left);
  });

  it('carries over shows of more days than fit into a transaction', async () => {
    const partition = resultsPartition(tenant.project.id);
    const days = Array.from({ length: 120 }, (_, index) => index);
    for (const index of days) {
      const day = new Date(service.clock.now() - index * DAY).toISOString().slice(0, 10);
      await service.table.table.put({
        pk: partition,
        sk: `${survey.id}#${day}`,
        type: 'result',
        shows: index + 1,
      });
    }
    const span = ['--from', '2026-01-01', '--to', '2026-12-31'];
    await admin.json('results', 'recount', survey.content.slug, ...project);
    await admin.json('results', 'recount', survey.content.slug, ...project);
    const { shows } = await admin.json('results', 'show', survey.content.slug, ...project, ...span);
    expect(shows).toBe((120 * 121) / 2);
  });

  it('counts changes to old answers only once, whether they arrive before or after the recount', async () => {
    const all = await rows();
    const late = all
      .filter(({ type, surveyId }) => type === 'response' && surveyId === survey.id)
      .slice(0, 5);
    await deliver(service, late.slice(0, 2));
    await admin.json('results', 'recount', survey.content.slug, ...project);
    await deliver(service, late.slice(2));
    const after = await rows();
    expect(shownResults(after, survey.id)).toEqual(recount(after, survey.id));
  });

  it('requires one survey or --all', async () => {
    const misused = [[], [survey.content.slug, '--all']];
    for (const args of misused) {
      expect(await admin.run('results', 'recount', ...args, ...project)).toEqual(
        failed(2, /Give the slug of a survey, or --all\./),
      );
    }
  });
});
