import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectItem } from '../../../../shared/data/projects/project-item.ts';
import { createProjectStore, type ProjectStore } from '../../../../shared/data/projects/project-store.ts';
import { createSurveyStore, type SurveyStore } from '../../../../shared/data/projects/survey-store.ts';
import { createIndexReader } from '../../../../shared/data/table/index-reader.ts';
import { type Key, projectKey, surveyKey } from '../../../../shared/data/table/schema.ts';
import { createTable } from '../../../../shared/data/table/table.ts';
import { FIRST_GENERATIONS } from '../../../../shared/domain/results/generation.ts';
import { createScriptedClient, type ScriptedCall } from '../../../support/faults/failing-client.ts';
import { aKey, aProject, aSurvey } from '../../../support/fixtures/builders.ts';
import { createTestTable, type TestTable } from '../../../support/service/test-table.ts';

let table: TestTable;
let store: ProjectStore;
let surveyStore: SurveyStore;
beforeAll(async () => {
  table = await createTestTable();
  store = createProjectStore(table.table, table.readIndex);
  surveyStore = createSurveyStore(table.table);
});

async function aStoredProject(overrides = {}) {
  const project = aProject(overrides);
  await store.createProject(project, []);
  return project;
}

const mark = (key: Key) => table.table.update(key, { set: { purgedAt: 'now' } });
const itemAt = (key: Key) => table.table.get(key);

describe('projects', () => {
  it('reads a project with keys, surveys and totals', async () => {
    const retention = {
      entries: [{ from: '2026-01-01T00:00:00.000Z', period: '13mo' }],
      goneBefore: '2024-01-01',
    };
    const project = aProject({ retention });
    const key = aKey('secret', project.id).stored;
    const survey = aSurvey({ retention });
    await store.createProject(project, [key]);
    await store.createSurvey(project.id, survey);
    expect(await store.read(project.id)).toEqual({
      project,
      surveysVersion: 1,
      surveyOrder: [],
      keys: [key],
      surveys: [survey],
      totals: {
        bySurvey: new Map([[survey.id, 0]]),
        answered: new Map([[survey.id, 0]]),
        byMonth: new Map(),
        generations: new Map([[survey.id, FIRST_GENERATIONS]]),
      },
      identitySecrets: [],
    });
    expect(await store.read('nobody')).toBeUndefined();
  });

  it('creates a project only once', async () => {
    const project = await aStoredProject({ name: 'first' });
    await expect(store.createProject({ ...project, name: 'second' }, [])).rejects.toThrow('already exists');
    expect((await store.read(project.id))?.project.name).toBe('first');
  });

  it('lists projects through the sparse index, oldest first, beyond one batch', async () => {
    const own = await createTestTable();
    const many = createProjectStore(own.table, own.readIndex);
    const projects = Array.from({ length: 130 }, (_, n) =>
      aProject({ createdAt: new Date(Date.UTC(2026, 0, 1) + n).toISOString() }),
    );
    expect(await many.list()).toEqual([]);
    await Promise.all(
      projects.map((project) => many.createProject(project, [aKey('secret', project.id).stored])),
    );
    expect(await many.list()).toEqual(projects);
  });

  it('changes only the named settings, and clears with null', async () => {
    const project = await aStoredProject({ limits: { quietPeriodMs: 5, monthlyCap: 3, monthlyQuota: 9 } });
    const retention = { entries: [{ from: '2026-01-01T00:00:00.000Z', period: null }] };
    const change = {
      name: 'Renamed',
      retention,
      limits: { monthlyCap: 4, monthlyQuota: null },
      rates: { address: 7 },
    };
    const changed = {
      ...project,
      name: 'Renamed',
      retention,
      limits: { quietPeriodMs: 5, monthlyCap: 4 },
      rates: { ...project.rates, address: 7 },
    };
    expect(await store.updateProject(project.id, change)).toEqual(changed);
    expect((await store.read(project.id))?.project).toEqual(changed);
    expect(await store.updateProject(project.id, { status: 'suspended' })).toEqual({
      ...changed,
      status: 'suspended',
    });
  });

  it('neither changes nor brings back a project that does not exist or is being purged', async () => {
    const project = aProject();
    const survey = aSurvey();
    const isUntouched = async () => {
      expect(await store.updateProject(project.id, { name: 'back' })).toBeUndefined();
      expect(await store.addKey(project.id, aKey('secret', project.id).stored)).toBe(false);
      await expect(store.createSurvey(project.id, aSurvey())).rejects.toThrow('does not exist');
      expect(await surveyStore.write(project.id, { created: [aSurvey()], updated: [] }, 1)).toBe(false);
    };
    await isUntouched();
    expect(await itemAt(projectKey(project.id))).toBeUndefined();
    await store.createProject(project, []);
    await store.createSurvey(project.id, survey);
    await mark(projectKey(project.id));
    await isUntouched();
    expect(await store.read(project.id)).toBeUndefined();
    expect(await itemAt(projectKey(project.id))).toMatchObject({ name: project.name, purgedAt: 'now' });
  });
});

describe('keys', () => {
  it('adds and revokes keys, and creates none by revoking', async () => {
    const project = await aStoredProject();
    const key = aKey('publishable', project.id).stored;
    expect(await store.revokeKey(project.id, key.hash, 'then')).toBeUndefined();
    expect((await store.read(project.id))?.keys).toEqual([]);
    expect(await store.addKey(project.id, key)).toBe(true);
    expect(await store.revokeKey(project.id, key.hash, 'then')).toEqual({ ...key, revokedAt: 'then' });
    expect((await store.read(project.id))?.keys).toEqual([{ ...key, revokedAt: 'then' }]);
  });
});

describe('surveys', () => {
  it('writes surveys only against the version they were planned against', async () => {
    const project = await aStoredProject();
    const first = aSurvey();
    const change = { ...first, status: 'paused' as const, startsAt: '2026-11-01T00:00:00.000Z' };
    expect(await surveyStore.write(project.id, { created: [first], updated: [] }, 0)).toBe(true);
    expect(await surveyStore.write(project.id, { created: [aSurvey()], updated: [] }, 0)).toBe(false);
    expect(await surveyStore.write(project.id, { created: [], updated: [change] }, 1)).toBe(true);
    expect(await store.read(project.id)).toMatchObject({ surveysVersion: 2, surveys: [change] });
    expect(await surveyStore.write(project.id, { created: [], updated: [first] }, 2)).toBe(true);
    expect((await store.read(project.id))?.surveys).toEqual([first]);
  });

  it('refuses a write planned before a survey was paused, which would resume it unseen', async () => {
    const project = await aStoredProject();
    const survey = aSurvey();
    await store.createSurvey(project.id, survey);
    const version = (await store.read(project.id))?.surveysVersion ?? 0;
    const paused = { ...survey, status: 'paused' as const };
    expect(await surveyStore.write(project.id, { created: [], updated: [paused] }, version)).toBe(true);
    expect(await surveyStore.write(project.id, { created: [], updated: [survey] }, version)).toBe(false);
    expect((await store.read(project.id))?.surveys[0]?.status).toBe('paused');
  });

  it('lets one of twenty writers against one version write', async () => {
    const project = await aStoredProject();
    const writes = Array.from({ length: 20 }, () =>
      surveyStore.write(project.id, { created: [aSurvey()], updated: [] }, 0),
    );
    expect((await Promise.all(writes)).filter(Boolean)).toHaveLength(1);
    expect((await store.read(project.id))?.surveys).toHaveLength(1);
  });

  it('neither changes nor brings back a survey that does not exist or is being purged', async () => {
    const project = await aStoredProject();
    const survey = aSurvey();
    const isUntouched = async () => {
      const version = (await store.read(project.id))?.surveysVersion ?? 0;
      const changes = { created: [aSurvey()], updated: [survey] };
      expect(await surveyStore.write(project.id, changes, version)).toBe(false);
    };
    await isUntouched();
    await store.createSurvey(project.id, { ...survey, status: 'draft' });
    await mark(surveyKey(project.id, survey.id));
    await isUntouched();
    expect((await store.read(project.id))?.surveys).toEqual([]);
    expect(await itemAt(surveyKey(project.id, survey.id))).toMatchObject({
      status: 'draft',
      purgedAt: 'now',
    });
  });
});

describe('faults the emulator does not have', () => {
  const name = 'any';
  const aStore = (answer: (call: ScriptedCall) => object) => {
    const client = createScriptedClient(answer);
    const quick = createTable(client, { name, pause: async () => undefined });
    return createProjectStore(quick, createIndexReader(client, name));
  };

  it('retries a transaction that meets another one, and adds the key', async () => {
    const conflict = new TransactionCanceledException({
      message: 'TransactionConflict',
      $metadata: {},
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
    let conflicts = 1;
    const { addKey } = aStore(() => {
      conflicts -= 1;
      if (conflicts >= 0) throw conflict;
      return {};
    });
    expect(await addKey('p', aKey('secret', 'p').stored)).toBe(true);
    conflicts = Number.POSITIVE_INFINITY;
    await expect(addKey('p', aKey('secret', 'p').stored)).rejects.toThrow('TransactionConflict');
  });

  it('reads again what a batch left unread', async () => {
    const project = aProject();
    const key = marshall(projectKey(project.id));
    const left = [{ UnprocessedKeys: { [name]: { Keys: [key] } } }];
    const store = aStore(({ operation }) =>
      operation === 'Query'
        ? { Items: [key] }
        : (left.pop() ?? { Responses: { [name]: [marshall(projectItem(project))] } }),
    );
    expect(await store.list()).toEqual([project]);
  });
});
