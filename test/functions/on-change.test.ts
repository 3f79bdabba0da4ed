import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { onChange } from '../../functions/on-change.ts';
import { compose, type Service } from '../../functions/runtime/compose.ts';
import { folds } from '../../functions/runtime/parts/answers.ts';
import { createTable } from '../../local/create-table.ts';
import { startEmbeddedDynamodb } from '../../local/embedded-dynamodb.ts';
import type { FoldTarget } from '../../shared/data/answers/history-folds.ts';
import { createSettingsLoader, readProjectRecord } from '../../shared/data/projects/project-record.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { createResultStore } from '../../shared/data/results/result-store.ts';
import { createDynamodbClient } from '../../shared/data/table/client.ts';
import { createIndexReader } from '../../shared/data/table/index-reader.ts';
import { surveyTotalKey } from '../../shared/data/table/schema.ts';
import { createTable as createGateway } from '../../shared/data/table/table.ts';
import type { Totals } from '../../shared/domain/project.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { anError, createFailingClient } from '../support/faults/failing-client.ts';
import { aRecord, aResponseRow, type Image } from '../support/fixtures/a-stream.ts';
import { aProject, aSurvey } from '../support/fixtures/builders.ts';
import { scanAll } from '../support/scan-all.ts';
import { testConfig } from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TRANSACTION = 'TransactWriteItemsCommand';

const table = await createTestTable();

let projectId: string;
let survey: Survey;
let surveyId: string;

async function createSurvey(overrides: Partial<Survey> = {}): Promise<Survey> {
  const created = aSurvey(overrides);
  await createProjectStore(table.table, table.readIndex).createSurvey(projectId, created);
  return created;
}

beforeEach(async () => {
  const project = aProject();
  await createProjectStore(table.table, table.readIndex).createProject(project, []);
  projectId = project.id;
  survey = await createSurvey();
  surveyId = survey.id;
});

const serviceWith = (client: DynamoDBClient): Service => compose(testConfig(table), { client });
const consume = (event: DynamoDBStreamEvent, client: DynamoDBClient = table.client) =>
  onChange(serviceWith(client))(event);

const aResponse = (more: Image = {}) => aResponseRow({ projectId, surveyId, ...more });
const insert = (more: Image = {}) => aRecord(undefined, aResponse(more));
const some = (count: number, more: Image = {}) => Array.from({ length: count }, () => insert(more));

async function totals(): Promise<Totals | undefined> {
  return (await createSettingsLoader(table.table)(projectId))?.totals;
}

const days = (id = surveyId) =>
  createResultStore(table.table).days({
    projectId,
    surveyId: id,
    generation: 0,
    from: '2026-01-01',
    to: '2026-12-31',
  });

async function counted(id = surveyId): Promise<number> {
  return (await days(id)).flatMap(({ ratings }) => [...ratings.values()]).reduce((sum, n) => sum + n, 0);
}

describe('totals', () => {
  it('count responses per survey and month of the project', async () => {
    await consume({ Records: [...some(2), insert({ at: '2026-10-31T23:59:59.999Z' })] });
    expect((await totals())?.bySurvey.get(surveyId)).toBe(3);
    expect(Object.fromEntries((await totals())?.byMonth ?? [])).toEqual({ '2026-10': 1, '2026-11': 2 });
  });

  it('count only inserts, no dismissals or imports, and never decrease', async () => {
    await consume({ Records: [insert()] });
    const answer = aResponse();
    await consume({
      Records: [
        aRecord(answer, { ...answer, rating: 3 }),
        aRecord(answer, undefined),
        insert({ type: 'dismissal' }),
        insert({ source: 'import' }),
      ],
    });
    expect((await totals())?.bySurvey.get(surveyId)).toBe(1);
  });

  it('count 10,000 records over 300 surveys, some of them deleted', async () => {
    const Records = Array.from({ length: 10_000 }, (_, index) =>
      insert(index % 300 === 0 ? {} : { surveyId: `sv_gone${index % 300}` }),
    );
    await consume({ Records });
    await consume({ Records: Records.slice(0, 1_500) });
    expect((await totals())?.bySurvey).toEqual(new Map([[surveyId, 34]]));
    expect((await totals())?.byMonth.get('2026-11')).toBe(10_000);
  });

  it('are not created for a deleted project', async () => {
    await consume({ Records: [insert({ projectId: 'gone', surveyId: 'sv_gone' })] });
    expect(await createSettingsLoader(table.table)('gone')).toBeUndefined();
    expect(await scanAll(table, 'sv_gone')).toEqual([]);
  });
});

describe('results', () => {
  it('count ratings, comments, contact requests, imports and dismissals on the day of the answer', async () => {
    await consume({
      Records: [
        insert({ text: 'good', followUpRequested: true }),
        insert({ rating: 3, followUpRequested: false, text: '' }),
        insert({ source: 'import', at: '2026-03-01T00:00:00.000Z', rating: 0 }),
        insert({ type: 'dismissal', at: '2026-11-20T23:59:59.999Z' }),
        insert({ identityKind: 'model-requested', rating: 1, text: 'said by a model' }),
      ],
    });
    const mapOf = (counts: object) => new Map(Object.entries(counts));
    const counters = mapOf({ dismissals: 1, comments: 1, followUps: 1, modelRequested: 1 });
    const [first, second] = [new Map([[0, 1]]), new Map([3, 9].map((rating) => [rating, 1]))];
    expect(await days()).toEqual([
      { day: '2026-03-01', ratings: first, counters: mapOf({ imported: 1 }), reasons: new Map() },
      { day: '2026-11-20', ratings: second, counters, reasons: new Map() },
    ]);
  });

  it('lose an erased answer, and one that leaves a tombstone', async () => {
    const [kept, deleted, buried] = [
      aResponse({ text: 'a' }),
      aResponse({ text: 'b' }),
      aResponse({ rating: 2 }),
    ];
    await consume({ Records: [kept, deleted, buried].map((answer) => aRecord(undefined, answer)) });
    await consume({
      Records: [
        aRecord(deleted, undefined),
        aRecord(buried, { ...buried, type: 'tombstone', rating: undefined }),
      ],
    });
    const [day] = await days();
    expect(day?.ratings.get(9)).toBe(1);
    expect(day?.ratings.get(2)).toBe(0);
    expect(day?.counters.get('comments')).toBe(1);
  });

  it('of a survey whose total is deleted are not recreated by a late record or an instance with older settings', async () => {
    const service = serviceWith(table.client);
    const handle = onChange(service);
    await handle({ Records: [insert()] });
    await table.table.delete(surveyTotalKey(projectId, surveyId));
    await handle({ Records: [insert(), insert({ type: 'dismissal' })] });
    expect(await counted()).toBe(1);
    expect((await days())[0]?.counters.get('dismissals')).toBeUndefined();
  });

  it('count a survey that was created after the instance read the settings', async () => {
    const handle = onChange(serviceWith(table.client));
    await handle({ Records: [insert()] });
    const { id } = await createSurvey();
    await handle({ Records: [insert({ surveyId: id })] });
    expect(await counted(id)).toBe(1);
  });

  it('do not delay totals if they cannot be written', async () => {
    const tooLarge = anError('ValidationException', 'Item size has exceeded the maximum');
    const refusing = createFailingClient(table.endpoint, ({ input }) =>
      input.includes('#RESULTS') ? tooLarge : undefined,
    );
    await consume({ Records: some(3) }, refusing);
    expect((await totals())?.bySurvey.get(surveyId)).toBe(3);
    expect(await counted()).toBe(0);
  });
});

describe('a record', () => {
  it('counts once when another record of the batch removes what it adds', async () => {
    const answer = aResponse({ source: 'import' });
    const [added, taken] = [aRecord(undefined, answer), aRecord(answer, undefined)];
    await consume({ Records: [added, taken] });
    await consume({ Records: [added] });
    expect(await counted()).toBe(0);
  });

  it('counts once although DynamoDB no longer remembers the transaction', async () => {
    const folder = temporaryFolder();
    const project = aProject();
    const own = aSurvey();
    const batch = { Records: some(7, { projectId: project.id, surveyId: own.id }) };
    const countIn = async (): Promise<Totals | undefined> => {
      const emulator = await startEmbeddedDynamodb({ dataFolder: folder });
      const client = createDynamodbClient({ endpoint: emulator.endpoint });
      try {
        await createTable(client, 'totals');
        const gateway = createGateway(client, { name: 'totals' });
        const store = createProjectStore(gateway, createIndexReader(client, 'totals'));
        if ((await store.read(project.id)) === undefined) {
          await store.createProject(project, []);
          await store.createSurvey(project.id, own);
        }
        await onChange(compose({ ...testConfig(table), tableName: 'totals' }, { client }))(batch);
        return (await readProjectRecord(gateway, project.id))?.totals;
      } finally {
        client.destroy();
        await emulator.stop();
      }
    };
    expect((await countIn())?.bySurvey.get(own.id)).toBe(7);
    expect((await countIn())?.bySurvey.get(own.id)).toBe(7);
  });

  it('counts correctly alongside concurrent batches', async () => {
    const batches = Array.from({ length: 20 }, () => ({ Records: some(5) }));
    await Promise.all(batches.map((batch) => consume(batch)));
    expect((await totals())?.bySurvey.get(surveyId)).toBe(100);
    expect(await counted()).toBe(100);
  });

  it('is retried when two transactions conflict on one total, which the emulator never does', async () => {
    const conflict = new TransactionCanceledException({
      message: 'cancelled',
      $metadata: {},
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    });
    const notes: unknown[] = [];
    const client = createFailingClient(table.endpoint, ({ operation, input }) => {
      if (operation !== TRANSACTION) return undefined;
      notes.push(JSON.stringify(JSON.parse(input).TransactItems[0]?.Put?.Item?.pk));
      return notes.length > 2 ? undefined : conflict;
    });
    await consume({ Records: [insert()] }, client);
    expect(notes).toHaveLength(3);
    expect(new Set(notes).size).toBe(1);
    expect((await totals())?.bySurvey.get(surveyId)).toBe(1);
  });
});

it('a consumer that fails makes the batch repeat without affecting other consumers', async () => {
  const folded: string[] = [];
  const failing = createFailingClient(table.endpoint, ({ operation }) =>
    operation === TRANSACTION ? new Error('no counting today') : undefined,
  );
  const service = serviceWith(failing);
  const fold = async ({ respondentHash }: FoldTarget) => void folded.push(respondentHash);
  folds.replace(service, { ...folds(service), fold });
  const marked = insert({ pk: `P#${projectId}#R#ann`, fold: true });
  await expect(onChange(service)({ Records: [marked] })).rejects.toThrow('no counting today');
  expect(folded).toEqual(['ann']);
});
