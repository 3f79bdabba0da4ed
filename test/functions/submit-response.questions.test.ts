import { beforeEach, describe, expect, it } from 'vitest';
import { listComments } from '../../functions/list-comments.ts';
import { onChange } from '../../functions/on-change.ts';
import { surveys } from '../../functions/runtime/parts/projects.ts';
import { createResultStore } from '../../shared/data/results/result-store.ts';
import type { Row } from '../../shared/data/table/row.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import type { SurveyQuestion } from '../../shared/domain/surveys/survey.ts';
import { applyUpdate } from '../../shared/domain/surveys/survey-plan.ts';
import { aRecord, insertsOf } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { exportedOf, revise, SESSION, waiting } from '../support/fixtures/revising.ts';
import { submit } from '../support/fixtures/submission.ts';
import { boundTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestService, type Tenant } from '../support/service/test-service.ts';

const use: SurveyQuestion = {
  ...{ id: 'use', kind: 'many', text: 'What for?' },
  choices: ['reports', 'alerts'].map((code) => ({ code, label: code })),
};
const effort: SurveyQuestion = { id: 'effort', kind: 'scale', text: 'How easy?', min: 0, max: 7 };
const more: SurveyQuestion = { id: 'more', kind: 'text', text: 'Anything else?', ratings: [7, 8, 9] };

const service = await createTestService();
const table = service.table.table;
const survey = aSurvey({}, { slug: 'recommend', type: 'nps', questions: [use, effort, more] });

let tenant: Tenant;
let respondentId: string;
beforeEach(async () => {
  tenant = await service.tenant({ redact: true }, [survey]);
  respondentId = someone();
});

const answered = async (fields: object) => {
  const showToken = await boundTokenOf(service, tenant, { respondentId, ...SESSION });
  const { body } = await submit({ service, tenant }, showToken, { ...SESSION, ...fields });
  return { showToken, body };
};
const rowsOf = (): Promise<Row[]> => scanAll(service.table, tenant.project.id);
const rowOf = async () => (await rowsOf()).find(({ type }) => type === 'response') ?? {};
const countsOf = async () => {
  await onChange(service.service)(await insertsOf(service.table, tenant.project.id));
  const day = new Date(service.clock.now()).toISOString().slice(0, 10);
  const span = {
    projectId: tenant.project.id,
    surveyId: surveyOf(tenant),
    generation: 0,
    from: day,
    to: day,
  };
  const days = await createResultStore(table).questions(span);
  return days.flatMap(({ counts }) => counts.map(({ question, of, count }) => [question, of, count]));
};

const all = { use: ['alerts', 'x'], effort: 3, more: 'Write to ann@example.com' };

describe('answers to questions after the rating', () => {
  it('are stored in one write, redacted, and named where they were dropped', async () => {
    const { body } = await answered({ rating: 8, answers: all });
    expect(body).toMatchObject({ ok: true, redacted: ['answers.more'], dropped: ['answers.use.1'] });
    const stored = { use: ['alerts'], effort: 3, more: expect.stringContaining('Write to [') };
    expect(await exportedOf({ service, tenant }, respondentId)).toMatchObject({ answers: stored });
    const [score] = await waiting({ service, tenant });
    expect(score.answers).toEqual({ use: ['alerts'], effort: 3 });
    const { body: comments } = await service.call(listComments, {
      secretKey: tenant.secretKey,
      query: { survey: 'recommend' },
    });
    expect(comments.comments ?? []).toEqual([]);
  });

  it('never cause an answer to be refused', async () => {
    for (const answers of ['x', ['x'], 5, { use: 'alerts' }, { nope: { nope: {} } }]) {
      respondentId = someone();
      const { body } = await answered({ rating: 8, answers });
      expect(body).toMatchObject({ ok: true, dropped: [expect.stringMatching(/^answers/)] });
      expect(await exportedOf({ service, tenant }, respondentId)).toMatchObject({ rating: 8, answers: null });
    }
  });

  it('are replaced by a revision, without those that the new rating does not ask', async () => {
    const { showToken } = await answered({ rating: 8, answers: all });
    const revision = { ...SESSION, revision: 1, rating: 3, answers: { use: null, more: 'No' } };
    const { body } = await revise({ service, tenant }, showToken, revision);
    expect(body).toMatchObject({ ok: true, dropped: ['answers.more'] });
    expect(await exportedOf({ service, tenant }, respondentId)).toMatchObject({ answers: { use: null } });
    expect((await revise({ service, tenant }, showToken, revision)).status).toBe(200);
    const other = { ...revision, answers: { use: ['alerts'] } };
    expect((await revise({ service, tenant }, showToken, other)).status).toBe(409);
  });

  it('are removed by a withdrawal', async () => {
    const { showToken } = await answered({ rating: 8, answers: all });
    await revise({ service, tenant }, showToken, { ...SESSION, revision: 1, withdraw: true });
    expect(await rowOf()).toMatchObject({ withdrawn: true });
    expect(await rowOf()).not.toHaveProperty('answers');
  });

  it.each([{ rating: 2 }, { withdrawn: true }])(
    'of an earlier revision are ignored and removed after an older release wrote %j',
    async (change) => {
      await answered({ rating: 8, answers: all });
      const before = await rowOf();
      const key = { pk: String(before.pk), sk: String(before.sk) };
      await table.update(key, { set: { revision: 1, revisedAt: before.at, ...change } });
      const after = await rowOf();
      expect(after).toHaveProperty('answers');
      expect(await exportedOf({ service, tenant }, respondentId)).toMatchObject({ answers: null });
      await onChange(service.service)({ Records: [aRecord(before, after)] });
      expect(await rowOf()).not.toHaveProperty('answers');
    },
  );

  it('of a later revision are not removed', async () => {
    const { showToken } = await answered({ rating: 8, answers: all });
    const before = await rowOf();
    await revise({ service, tenant }, showToken, {
      ...SESSION,
      revision: 1,
      rating: 8,
      answers: { effort: 1 },
    });
    await onChange(service.service)({ Records: [aRecord(undefined, { ...before, revision: 7 })] });
    expect(await exportedOf({ service, tenant }, respondentId)).toMatchObject({ answers: { effort: 1 } });
  });

  it('are counted in one item a day by the places of questions and codes', async () => {
    await answered({ rating: 8, answers: all });
    for (const answers of [{ use: null }, { use: ['reports', 'alerts'] }, undefined]) {
      respondentId = someone();
      await answered({ rating: 3, answers });
    }
    expect((await countsOf()).sort()).toEqual(
      [
        [0, 'answered', 2],
        [0, 'skipped', 1],
        [0, 'notReached', 1],
        [0, 0, 1],
        [0, 1, 2],
        [1, 'answered', 1],
        [1, 3, 1],
        [1, 'notReached', 3],
        [2, 'answered', 1],
      ].sort(),
    );
    const items = (await rowsOf()).filter(({ sk }) => String(sk).includes('~?'));
    expect(items).toHaveLength(1);
  });

  it('to a question that the settings of the instance do not have yet are kept', async () => {
    const showToken = await boundTokenOf(service, tenant, { respondentId, ...SESSION });
    const [before] = tenant.surveys;
    if (before === undefined) throw new Error('no survey');
    const questions = [use, { ...more, id: 'next' }];
    const { id, limits, status, content } = before;
    const after = { id, limits, status, content: { ...content, questions } };
    const updated = [applyUpdate({ before, after }, service.clock.now())];
    await surveys(service.service).write(tenant.project.id, { created: [], updated }, undefined);
    service.clock.advance(3 * SECOND);
    const { body } = await submit({ service, tenant }, showToken, {
      ...SESSION,
      rating: 8,
      answers: { next: 'Yes' },
    });
    expect(body).not.toHaveProperty('dropped');
    expect(await exportedOf({ service, tenant }, respondentId)).toMatchObject({ answers: { next: 'Yes' } });
  });
});
