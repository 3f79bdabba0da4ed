import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBatchCounter } from '../../../functions/stream/count-batch.ts';
import { createTable } from '../../../local/create-table.ts';
import { startEmbeddedDynamodb } from '../../../local/embedded-dynamodb.ts';
import { createTotalsStore } from '../../../shared/data/answers/totals.ts';
import { createSettingsLoader } from '../../../shared/data/projects/project-record.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { createDynamodbClient } from '../../../shared/data/table/client.ts';
import { createIndexReader } from '../../../shared/data/table/index-reader.ts';
import { createTable as createGateway } from '../../../shared/data/table/table.ts';
import type { Totals } from '../../../shared/domain/project.ts';
import { anId, aProject, aSurvey } from '../../support/builders.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestTable, type TestTable } from '../../support/test-table.ts';

const gateway = (client: DynamoDBClient, name: string) =>
  createGateway(client, { name, pause: async () => undefined });

function anInsert(
  projectId: string,
  surveyId: string,
  overrides: Record<string, string> = {},
): DynamoDBRecord {
  const image = {
    type: 'response',
    source: 'sdk',
    projectId,
    surveyId,
    at: '2026-11-20T09:30:00.000Z',
    ...overrides,
  };
  const NewImage = Object.fromEntries(Object.entries(image).map(([name, S]) => [name, { S }]));
  return { eventID: anId(), eventName: 'INSERT', dynamodb: { NewImage } };
}

describe('totals counted from the stream', () => {
  let table: TestTable;
  let projectId: string;
  let surveyId: string;

  beforeAll(async () => {
    table = await createTestTable();
  });

  beforeEach(async () => {
    const project = aProject();
    const survey = aSurvey();
    const store = createProjectStore(table.table, table.readIndex);
    await store.createProject(project, []);
    await store.createSurvey(project.id, survey);
    projectId = project.id;
    surveyId = survey.id;
  });

  const counter = (client: DynamoDBClient = table.client) =>
    createBatchCounter(createTotalsStore({ table: gateway(client, table.tableName), clock: Date.now }));

  async function totals(): Promise<Totals | undefined> {
    return (await createSettingsLoader(table.table)(projectId))?.totals;
  }

  it('counts responses per survey and per month of the project', async () => {
    const october = anInsert(projectId, surveyId, { at: '2026-10-31T23:59:59.999Z' });
    await counter()({ Records: [anInsert(projectId, surveyId), anInsert(projectId, surveyId), october] });
    expect((await totals())?.bySurvey.get(surveyId)).toBe(3);
    expect((await totals())?.byMonth).toEqual(
      new Map([
        ['2026-10', 1],
        ['2026-11', 2],
      ]),
    );
  });

  it('counts neither dismissals nor imports nor anything but inserts', async () => {
    const modified: DynamoDBRecord = { ...anInsert(projectId, surveyId), eventName: 'MODIFY' };
    const removed: DynamoDBRecord = { ...anInsert(projectId, surveyId), eventName: 'REMOVE' };
    const dismissal = anInsert(projectId, surveyId, { type: 'dismissal' });
    const imported = anInsert(projectId, surveyId, { source: 'import' });
    await counter()({ Records: [modified, removed, dismissal, imported] });
    expect((await totals())?.bySurvey.get(surveyId)).toBe(0);
  });

  it('counts a batch that is delivered again once', async () => {
    const batch = { Records: Array.from({ length: 7 }, () => anInsert(projectId, surveyId)) };
    await counter()(batch);
    await counter()(structuredClone(batch));
    expect((await totals())?.bySurvey.get(surveyId)).toBe(7);
  });

  it('counts it once although DynamoDB has forgotten the transaction meanwhile', async () => {
    const folder = temporaryFolder();
    const project = aProject();
    const survey = aSurvey();
    const batch = { Records: Array.from({ length: 7 }, () => anInsert(project.id, survey.id)) };
    const countIn = async (): Promise<Totals | undefined> => {
      const emulator = await startEmbeddedDynamodb({ dataFolder: folder });
      const client = createDynamodbClient({ endpoint: emulator.endpoint });
      try {
        await createTable(client, 'totals');
        const totals = gateway(client, 'totals');
        const store = createProjectStore(totals, createIndexReader(client, 'totals'));
        if ((await store.read(project.id)) === undefined) {
          await store.createProject(project, []);
          await store.createSurvey(project.id, survey);
        }
        await createBatchCounter(createTotalsStore({ table: totals, clock: Date.now }))(batch);
        return (await store.read(project.id))?.totals;
      } finally {
        client.destroy();
        await emulator.stop();
      }
    };
    expect((await countIn())?.bySurvey.get(survey.id)).toBe(7);
    expect((await countIn())?.bySurvey.get(survey.id)).toBe(7);
  });

  it('counts a batch that failed halfway whole, and once, when it is delivered again', async () => {
    const surveys: string[] = [];
    for (let n = 0; n < 150; n++) {
      const survey = aSurvey();
      await createProjectStore(table.table, table.readIndex).createSurvey(projectId, survey);
      surveys.push(survey.id);
    }
    const batch = { Records: surveys.map((id) => anInsert(projectId, id)) };
    const failing = createDynamodbClient({ endpoint: table.endpoint });
    let sent = 0;
    failing.middlewareStack.add(
      (next) => async (args) => {
        sent += 1;
        if (sent === 2) throw new Error('the second transaction fails');
        return next(args);
      },
      { step: 'initialize' },
    );
    await expect(counter(failing)(batch)).rejects.toThrow('the second transaction fails');
    await counter()(batch);
    const { bySurvey, byMonth } = (await totals()) ?? {};
    expect(surveys.map((id) => bySurvey?.get(id))).toEqual(surveys.map(() => 1));
    expect(byMonth?.get('2026-11')).toBe(150);
  });

  it('counts concurrent batches all', async () => {
    const batches = Array.from({ length: 20 }, () => ({
      Records: Array.from({ length: 5 }, () => anInsert(projectId, surveyId)),
    }));
    await Promise.all(batches.map((batch) => counter()(batch)));
    expect((await totals())?.bySurvey.get(surveyId)).toBe(100);
  });

  it('counts 10,000 records over 300 surveys, some of which are gone', async () => {
    const batch = {
      Records: Array.from({ length: 10_000 }, (_, index) =>
        anInsert(projectId, index % 300 === 0 ? surveyId : `sv_gone${index % 300}`),
      ),
    };
    await counter()(batch);
    await counter()(batch);
    expect((await totals())?.bySurvey).toEqual(new Map([[surveyId, 34]]));
    expect((await totals())?.byMonth.get('2026-11')).toBe(10_000);
  });

  it('creates no total for a project that is gone', async () => {
    await counter()({ Records: [anInsert('gone', 'sv_gone')] });
    expect(await createSettingsLoader(table.table)('gone')).toBeUndefined();
  });

  it('tries again when two transactions meet on one total, which the emulator never shows', async () => {
    const client = createDynamodbClient({ endpoint: table.endpoint });
    const notes: unknown[] = [];
    client.middlewareStack.add(
      (next) => async (args) => {
        const { TransactItems = [] } = args.input as { TransactItems?: { Put?: { Item?: object } }[] };
        notes.push(JSON.stringify(TransactItems[0]?.Put?.Item));
        if (notes.length > 2) return next(args);
        throw new TransactionCanceledException({
          message: 'cancelled',
          $metadata: {},
          CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
        });
      },
      { step: 'initialize' },
    );
    await counter(client)({ Records: [anInsert(projectId, surveyId)] });
    expect(notes).toHaveLength(3);
    expect(new Set(notes).size).toBe(1);
    expect((await totals())?.bySurvey.get(surveyId)).toBe(1);
  });
});
