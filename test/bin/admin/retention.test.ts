import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { timeText } from '../../../bin/admin/terminal.ts';
import { erasureLog } from '../../../functions/runtime/parts/privacy.ts';
import { writeDay } from '../../../pages/results/figures.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { HOUR } from '../../../shared/domain/duration.ts';
import type { Project } from '../../../shared/domain/project.ts';
import { createAdminCli, failed } from '../../support/admin-cli.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { seedResults } from '../../support/fixtures/seed-results.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const service = await createTestService();
const admin = createAdminCli(service);
const store = createProjectStore(service.table.table, service.table.readIndex);
const iso = (at: number) => new Date(at).toISOString();
const dayBefore = (days: number) => iso(service.clock.now() - days * 24 * HOUR).slice(0, 10);

/** A project with answers from three days. One of the days is forty days ago. */
async function aTenant(overrides: Partial<Project> = {}) {
  const survey = aSurvey({}, { slug: 'nps' });
  const { project } = await service.tenant(overrides, [survey]);
  const ids = { projectId: project.id, surveyId: survey.id };
  for (const [from, to] of [
    [dayBefore(40), dayBefore(40)],
    [dayBefore(2), dayBefore(1)],
  ] as const)
    await seedResults(service.table, { ...ids, from, to, values: 0, segments: [] });
  const update = (...flags: string[]) => admin.run('project', 'update', project.id, ...flags);
  const retention = async () => (await admin.json('project', 'show', project.id)).retention;
  return { ...ids, update, retention, survey };
}

function fileOf(...surveys: readonly object[]): string {
  const file = join(temporaryFolder(), 'surveys.json');
  writeFileSync(file, JSON.stringify({ surveys }));
  return file;
}
const written = (more: object = {}) => ({
  slug: 'nps',
  type: 'nps',
  question: 'How likely are you to recommend us?',
  ...more,
});

describe('project update --retention', () => {
  it('prints how many answers of which surveys would expire, and deletes none without --yes', async () => {
    const { update, retention } = await aTenant();
    const { status, stdout, stderr } = await update('--retention', '35d', '--name', 'Other');
    expect([status, stderr]).toEqual([
      2,
      'error: A shorter retention permanently deletes answers, and there is no terminal to ask on. Confirm with --yes.\n',
    ]);
    // Eleven ratings, plus model-requested answers, each with a count of 1,234.
    const row = new RegExp(
      `nps +${12 * 1_234} +1234 +${writeDay(dayBefore(33))} +${timeText(iso(service.clock.now() + 48 * HOUR))}`,
    );
    expect(stdout).toMatch(row);
    expect(await retention()).toEqual({ period: null, next: null });
  });

  it('takes effect two days later, and can be reverted until then', async () => {
    const { update, retention, projectId } = await aTenant();
    const from = iso(service.clock.now() + 48 * HOUR);
    const set = await update('--retention', '35d', '--yes');
    expect(set.stderr).toBe(
      `From ${timeText(from)} on, answers are kept for 35d. Until then, "project update ${projectId} --retention none" reverts the change.\n`,
    );
    expect(set.stdout).toMatch(new RegExp(`^retention +none, then 35d from ${timeText(from)}$`, 'm'));
    service.clock.advance(47 * HOUR);
    expect(await retention()).toEqual({ period: null, next: { from, period: '35d' } });
    expect(await update('--retention', 'none')).toMatchObject({ status: 0, stderr: '' });
    service.clock.advance(2 * HOUR);
    expect(await retention()).toEqual({ period: null, next: null });
  });

  it('--now takes effect as soon as every function has read it; a longer retention needs no confirmation', async () => {
    const { update, retention } = await aTenant();
    await update('--retention', '2mo', '--yes', '--now');
    service.clock.advance(36_000);
    expect(await retention()).toEqual({ period: '2mo', next: null });
    expect(await update('--retention', '13mo', '--monthly-cap', '9')).toMatchObject({ status: 0 });
    service.clock.advance(36_000);
    expect(await retention()).toEqual({ period: '13mo', next: null });
  });

  it('changes nothing when it is the same, and needs a setting beside its flags', async () => {
    const { update } = await aTenant();
    await update('--retention', '35d', '--yes', '--now');
    expect(await update('--retention', '35d')).toMatchObject({ status: 0, stderr: '' });
    expect(await update('--yes', '--now')).toEqual(failed(2, /Nothing to change/));
    expect(await update('--retention', '30d')).toEqual(
      failed(2, /must be none, 35d to 36500d, or 2mo to 1200mo/),
    );
  });

  it('is logged for a restore, and logged again when it is repeated', async () => {
    const { update, projectId } = await aTenant();
    const since = service.clock.now();
    const noted = async () =>
      (await erasureLog(service.service).retentionsSince(since, service.clock.now())).filter(
        (change) => change.projectId === projectId,
      );
    await update('--retention', '35d', '--yes');
    const [change] = await noted();
    expect(change?.retention.entries.map(({ period }) => period)).toEqual(['35d']);
    service.clock.advance(60_000);
    await update('--retention', '35d');
    expect(await noted()).toEqual([change]);
    const file = fileOf(written({ retention: '60d' }));
    await admin.run('survey', 'apply', '--project', projectId, '-f', file, '--yes');
    expect((await noted()).map(({ surveyId }) => surveyId !== undefined).sort()).toEqual([false, true]);
  });

  it('is refused for one of two people who change it at the same time', async () => {
    const { projectId } = await aTenant();
    const change = (period: string) => ({ entries: [{ from: iso(service.clock.now()), period }] });
    expect(await store.setRetention(projectId, change('35d'), undefined)).toBe('done');
    expect(await store.setRetention(projectId, change('60d'), undefined)).toBe('changed');
    expect(await store.setRetention(projectId, change('60d'), change('35d'))).toBe('done');
    expect(await store.setRetention('nobody', change('60d'), undefined)).toBe('gone');
  });

  it('can be set when a project is created', async () => {
    const { projectId } = await admin.json('project', 'create', '--name', 'Kept', '--retention', '13mo');
    expect((await admin.json('project', 'show', projectId)).retention).toEqual({
      period: '13mo',
      next: null,
    });
  });
});

describe('retention in a survey file', () => {
  it("needs confirmation like a project's, is shown, and counts as unchanged while it is pending", async () => {
    const { projectId } = await aTenant();
    const apply = (more: object, ...flags: string[]) =>
      admin.run('survey', 'apply', '--project', projectId, '-f', fileOf(written(more)), ...flags);
    expect(await apply({ retention: '35d' })).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/retention: none → 35d\n(.*\n)+nps +14808 +1234 /),
      stderr: expect.stringContaining('Confirm with --yes'),
    });
    expect(await apply({ retention: '35d' }, '--yes')).toMatchObject({ status: 0 });
    expect(await apply({ retention: '35d' })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('0 created, 0 updated, 1 unchanged'),
    });
    const [view] = await admin.json('survey', 'show', '--project', projectId, 'nps');
    expect(view.retention).toEqual({
      period: null,
      next: { from: iso(service.clock.now() + 48 * HOUR), period: '35d' },
    });
    const pulled = join(temporaryFolder(), 'pulled.json');
    await admin.run('survey', 'pull', '--project', projectId, '-f', pulled);
    expect(await admin.run('survey', 'apply', '--project', projectId, '-f', pulled)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 unchanged'),
    });
    expect(await apply({ retention: '1mo' })).toEqual(
      failed(2, /surveys\[0\]\.retention: must be none, 35d to 36500d, or 2mo to 1200mo/),
    );
  });

  it("deletes nothing that the project's retention has already deleted", async () => {
    const { projectId, update } = await aTenant();
    await update('--retention', '35d', '--yes', '--now');
    service.clock.advance(36_000);
    const file = fileOf(written({ retention: '35d' }));
    const applied = await admin.run('survey', 'apply', '--project', projectId, '-f', file, '--yes');
    expect(applied.stdout).not.toContain('go for good');
  });

  it('deletes answers from a pipeline only with --yes', async () => {
    const { projectId } = await aTenant();
    const file = fileOf(written({ retention: '35d' }));
    const ensure = (...flags: string[]) =>
      admin.run('project', 'ensure', '--project', projectId, '-f', file, ...flags);
    const reason = expect.stringContaining('Confirm with --yes');
    expect(await ensure()).toMatchObject({ status: 2, stderr: reason });
    expect(await ensure('--yes')).toMatchObject({ status: 0 });
    expect(await ensure()).toMatchObject({ status: 0 });
  });
});
