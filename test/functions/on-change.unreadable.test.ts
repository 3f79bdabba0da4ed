import { beforeEach, describe, expect, it } from 'vitest';
import { getResults } from '../../functions/get-results.ts';
import { onChange } from '../../functions/on-change.ts';
import { folds } from '../../functions/runtime/parts/answers.ts';
import type { FoldTarget } from '../../shared/data/answers/history-folds.ts';
import {
  monthAttribute,
  projectKey,
  projectTotalKey,
  settingsPartition,
  surveyKey,
  surveyTotalKey,
} from '../../shared/data/table/schema.ts';
import { anError, createFailingClient } from '../support/faults/failing-client.ts';
import { aRecord, aResponseRow, type Image } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { seedAnswers } from '../support/fixtures/seed-answers.ts';
import { surveyOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { startRecount } from '../support/service/stepped-recount.ts';
import { START } from '../support/service/test-clock.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

const DAY_OF_START = new Date(START).toISOString().slice(0, 10);

let service: TestService;
let broken: Tenant;
let whole: Tenant;

const table = await createTestTable();

beforeEach(async () => {
  service = await createTestService({ table });
  const segments = [{ name: 'plan', values: [{ text: 'pro' }] }];
  broken = await service.tenant({ limits: NO_LIMITS }, [aSurvey({ segments })]);
  whole = await service.tenant({ limits: NO_LIMITS }, [aSurvey()]);
});

const answer = ({ project, surveys }: Tenant, more: Image = {}) =>
  aResponseRow({
    projectId: project.id,
    surveyId: surveys[0]?.id,
    id: `answer-of-${project.id}`,
    respondentId: 'CANARY',
    at: new Date(START).toISOString(),
    ...more,
  });
const inserted = (row: Image) => aRecord(undefined, row);
const consume = (...Records: ReturnType<typeof aRecord>[]) => onChange(service.service)({ Records });

async function responses(tenant: Tenant): Promise<number> {
  const query = { surveyId: surveyOf(tenant), from: DAY_OF_START, to: DAY_OF_START };
  const { status, body } = await service.call(getResults, { secretKey: tenant.secretKey, query });
  expect(status).toBe(200);
  return body.responses;
}

const total = async ({ project, surveys }: Tenant) =>
  (await table.table.get(surveyTotalKey(project.id, surveys[0]?.id ?? '')))?.responses;

async function spoil(key: { readonly pk: string; readonly sk: string }, more: object) {
  const row = await table.table.get(key);
  await table.table.put({ ...row, ...more });
  return () => table.table.put({ ...row });
}

const spoilSurvey = ({ project }: Tenant) =>
  spoil(surveyKey(project.id, surveyOf(broken)), { status: 'of a newer version' });

const lines = () => service.logs.map((line) => JSON.parse(line));

describe('unreadable settings', () => {
  it('leave the results of their project, and no others, to a recount', async () => {
    const repair = await spoilSurvey(broken);
    await consume(inserted(answer(broken)), inserted(answer(whole)));
    expect(await responses(whole)).toBe(1);
    // Totals do not depend on settings.
    expect([await total(broken), await total(whole)]).toEqual([1, 1]);
    expect(lines().filter(({ uncounted }) => uncounted !== undefined)).toMatchObject([
      {
        level: 'error',
        message: 'results were not counted',
        projectId: broken.project.id,
        uncounted: 1,
        error: {
          name: 'UnreadableSettings',
          cause: { message: 'a row of type survey is malformed: status' },
        },
      },
    ]);
    expect(service.logs.join()).not.toContain('CANARY');
    await repair();
    expect(await responses(broken)).toBe(0);
  });

  it('cause no loss: a recount counts the answers once the settings are repaired', async () => {
    const { project } = broken;
    const surveyIds = [surveyOf(broken)];
    await seedAnswers(table, { projectId: project.id, surveyIds, count: 3, momentOf: () => START });
    const rows = (await scanAll(table, project.id)).filter(({ type }) => type === 'response');
    const repair = await spoilSurvey(broken);
    await consume(...rows.map(inserted));
    await repair();
    await startRecount(service, ['--all', '--project', project.id]).end();
    expect(rows.length).toBeGreaterThan(0);
    expect(await responses(broken)).toBe(rows.length);
  });

  it.each(['live', 'being purged'])('can be the row of the project itself: %s', async (which) => {
    const purgedAt = which === 'being purged' ? { purgedAt: new Date(START).toISOString() } : {};
    await spoil(projectKey(broken.project.id), { name: 7, ...purgedAt });
    await consume(inserted(answer(broken)), inserted(answer(whole)));
    expect(await responses(whole)).toBe(1);
  });

  it('leave events without slug and type, and do not affect others', async () => {
    await spoilSurvey(broken);
    await consume(inserted(answer(broken)), inserted(answer(whole)));
    const { slug, type } = whole.surveys[0]?.content ?? {};
    expect(service.events.map(({ detail }) => detail)).toMatchObject([
      { projectId: broken.project.id, surveySlug: null, surveyType: null, low: null, rating: 9 },
      { projectId: whole.project.id, surveySlug: slug, surveyType: type, rating: 9 },
    ]);
    const [line, ...more] = lines().filter(({ message }) => message.startsWith('events sent without'));
    expect(more).toEqual([]);
    expect(line).toMatchObject({ level: 'error', projectId: broken.project.id });
  });
});

describe('unavailable settings', () => {
  it.each(['ThrottlingException', 'TimeoutError', 'AccessDeniedException'])(
    'make the batch repeat, and everything is counted once: %s',
    async (name) => {
      const client = createFailingClient(table.endpoint, ({ operation, input }) =>
        operation === 'QueryCommand' && input.includes(settingsPartition(broken.project.id))
          ? anError(name, `${name} just now`)
          : undefined,
      );
      const away = await createTestService({ table, client });
      const Records = [inserted(answer(broken)), inserted(answer(whole))];
      await expect(onChange(away.service)({ Records })).rejects.toThrow(`${name} just now`);
      await consume(...Records);
      expect([await responses(broken), await responses(whole)]).toEqual([1, 1]);
    },
  );
});

describe('totals that cannot be incremented', () => {
  const month = monthAttribute(DAY_OF_START.slice(0, 7));

  it.each([
    ['of a survey', () => surveyTotalKey(broken.project.id, surveyOf(broken)), { responses: 'many' }],
    ['of a project', () => projectTotalKey(broken.project.id), { [month]: 'many' }],
  ])('%s are reported and do not delay others', async (_, key, more) => {
    await spoil(key(), more);
    await consume(inserted(answer(broken)), inserted(answer(whole)));
    expect([await responses(whole), await total(whole)]).toEqual([1, 1]);
    const told = { level: 'error', message: 'answers were not counted', uncounted: 1 };
    expect(lines()).toContainEqual(expect.objectContaining({ ...told, projectId: broken.project.id }));
  });
});

const invalid = (what: string) =>
  createFailingClient(table.endpoint, ({ operation, input }) =>
    operation === 'TransactWriteItemsCommand' && input.includes(what)
      ? anError('ValidationException', 'never')
      : undefined,
  );

describe('requests that DynamoDB rejects', () => {
  it('for results do not affect other surveys of their transaction', async () => {
    const refused = await createTestService({ table, client: invalid(`${broken.project.id}#RESULTS`) });
    await onChange(refused.service)({ Records: [inserted(answer(broken)), inserted(answer(whole))] });
    expect([await responses(broken), await responses(whole)]).toEqual([0, 1]);
    expect([await total(broken), await total(whole)]).toEqual([1, 1]);
  });

  it('make the batch repeat if all of them are rejected, which only a bug can cause', async () => {
    const refused = await createTestService({ table, client: invalid('') });
    const Records = [inserted(answer(broken)), inserted(answer(whole))];
    await expect(onChange(refused.service)({ Records })).rejects.toThrow('never');
    await consume(...Records);
    expect([await responses(broken), await responses(whole)]).toEqual([1, 1]);
  });
});

describe('a record that cannot be counted or described', () => {
  it('is reported and skipped, for an answer and for an impression', async () => {
    const strange = answer(broken, { traits: 'null' });
    const shows = new Set([`${surveyOf(broken)}#!`]);
    const shown = { pk: `P#${broken.project.id}#R#${'0'.repeat(32)}`, sk: 'SHOWN', type: 'shown', shows };
    await consume(inserted(strange), inserted(shown), inserted(answer(whole)));
    expect([await responses(whole), await responses(broken)]).toEqual([1, 0]);
    expect(lines().filter(({ message }) => message === 'a change was not counted')).toHaveLength(2);
    expect(service.logs.join()).not.toContain('CANARY');
  });

  it('is reported without its text and traits, even if these are not JSON', async () => {
    await consume(inserted(answer(broken, { traits: 'CANARY' })), inserted(answer(whole)));
    expect(await responses(whole)).toBe(1);
    const [line] = lines();
    expect(line).toMatchObject({ message: 'stream record could not be read', uncounted: 1 });
    expect(service.logs.join()).not.toContain('CANARY');
  });

  it('is reported and skipped, for a fold request, while others are folded', async () => {
    const folded: string[] = [];
    const fold = async ({ projectId }: FoldTarget) => void folded.push(projectId);
    folds.replace(service.service, { ...folds(service.service), fold });
    const request = { pk: 'x', sk: 'y', type: 'fold-request', fold: true, respondentHash: 'hash' };
    const { id } = whole.project;
    await consume(inserted(request), inserted({ ...request, projectId: id }), inserted(answer(whole)));
    expect(folded).toEqual([id]);
    expect(await responses(whole)).toBe(1);
    expect(service.logs.join()).toContain('fold request could not be read');
  });
});
