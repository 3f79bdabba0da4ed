import { describe, expect, it } from 'vitest';
import { projectItem } from '../../../../shared/data/projects/project-item.ts';
import { readProjectRecord } from '../../../../shared/data/projects/project-record.ts';
import { createProjectStore } from '../../../../shared/data/projects/project-store.ts';
import { createSurveyStore } from '../../../../shared/data/projects/survey-store.ts';
import {
  accessKeyKey,
  projectKey,
  settingsPartition,
  surveyKey,
} from '../../../../shared/data/table/schema.ts';
import { isUnavailable } from '../../../../shared/data/table/unavailable.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import { linkLifetimeOf } from '../../../../shared/domain/project.ts';
import { servedTypes } from '../../../../shared/domain/surveys/eligibility.ts';
import { aKey, aProject, aSurvey } from '../../../support/fixtures/builders.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

it('skips a key of a kind that only a later release reads', async () => {
  const { table, readIndex } = await createTestTable();
  const project = aProject();
  const known = aKey('secret', project.id).stored;
  await createProjectStore(table, readIndex).createProject(project, [known]);
  const later = { ...known, type: 'key', kind: 'of-a-later-release', hash: 'a'.repeat(64) };
  await table.put({ ...accessKeyKey(project.id, later.hash), ...later });
  expect((await readProjectRecord(table, project.id))?.keys).toEqual([known]);
});

it('reads surveys and keys as earlier releases stored them, and changes them lastingly', async () => {
  const { table, readIndex } = await createTestTable();
  const project = aProject();
  const store = createProjectStore(table, readIndex);
  await store.createProject(project, []);
  const surveys = createSurveyStore(table);
  const paged = aSurvey({}, { pages: ['/orders/**'] });
  const awaited = aSurvey({}, { on: { event: 'order-paid' } });
  const plain = aSurvey();
  const all = [paged, awaited, plain];
  await surveys.write(project.id, { created: all, updated: [] }, 0);
  for (const { id } of all) {
    const set = { status: 'paused', activeByConditions: true };
    await table.update(surveyKey(project.id, id), { set });
  }
  const statuses = async () => {
    const read = (await readProjectRecord(table, project.id))?.surveys;
    return all.map(({ id }) => read?.find((each) => each.id === id)?.status);
  };
  // Simulates an older release, which removed the conditions but left the mark.
  expect(await statuses()).toEqual(['active', 'active', 'paused']);
  const paused = { ...paged, status: 'paused' as const };
  await surveys.write(project.id, { created: [], updated: [paused] }, 1);
  expect(await statuses()).toEqual(['paused', 'active', 'paused']);

  const editor = aKey('editor', project.id, { scopes: ['results', 'contacts', 'surveys'] }).stored;
  const old = { kind: 'reader', editor: true, scopes: ['results'], namedScopes: ['contacts', 'surveys'] };
  await table.put({ ...accessKeyKey(project.id, editor.hash), type: 'key', ...editor, ...old });
  expect((await readProjectRecord(table, project.id))?.keys).toEqual([editor]);
});

describe('a project whose row another release wrote', () => {
  it('keeps the old meaning of absent values from an earlier release', async () => {
    const { table, readIndex } = await createTestTable();
    const project = aProject();
    await createProjectStore(table, readIndex).createProject(project, []);
    const read = (await readProjectRecord(table, project.id))?.project;
    expect(read).toEqual(project);
    expect(servedTypes(undefined, read?.typesUnlessSaid)).toContain('thumbs');
    expect(linkLifetimeOf(read ?? project)).toBe(7 * DAY);
  });

  it('ignores and keeps unknown values of a later release after a rollback', async () => {
    const { table, readIndex } = await createTestTable();
    const store = createProjectStore(table, readIndex);
    const project = aProject({ typesUnlessSaid: 'first-four', linkLifetimeMs: DAY });
    await store.createProject(project, []);
    const later = { ofALaterRelease: { any: 'thing' } };
    await table.update(projectKey(project.id), { set: later });
    expect((await readProjectRecord(table, project.id))?.project).toEqual(project);
    await store.updateProject(project.id, { name: 'Changed' });
    expect(await table.get(projectKey(project.id))).toMatchObject({ ...later, name: 'Changed' });
  });
});

describe('reading surveys that are being written', () => {
  async function twoReadings() {
    const { table } = await createTestTable();
    const project = aProject();
    await table.put(projectItem(project));
    const surveys = createSurveyStore(table);
    const pair = [aSurvey(), aSurvey()];
    const noted = {
      note: { source: 'console', by: 'ann', at: project.createdAt },
      surveys: [],
      isReordered: false,
    } as const;
    await surveys.write(project.id, { created: pair, updated: [] }, 0, noted);
    const read = () => table.query({ partition: settingsPartition(project.id) });
    const before = await read();
    const paused = pair.map((survey) => ({ ...survey, status: 'paused' as const }));
    await surveys.write(project.id, { created: [], updated: paused }, 1, noted);
    return { id: project.id, before, after: await read() };
  }

  const statusesOf = (record: Awaited<ReturnType<typeof readProjectRecord>>) =>
    record?.surveys.map(({ status }) => status);

  it('reads again until the change is complete, whichever item was seen first', async () => {
    const { id, before, after } = await twoReadings();
    for (let mixed = 1; mixed < 2 ** before.length - 1; mixed++) {
      const half = before.map((row, index) => ((mixed >> index) % 2 === 0 ? row : (after[index] ?? row)));
      const readings = [half, half, after];
      const record = await readProjectRecord({ query: async () => readings.shift() ?? after }, id);
      expect([['active', 'active'].join(), ['paused', 'paused'].join()]).toContain(
        statusesOf(record)?.join(),
      );
    }
  });

  it('throws an unavailable dependency when a change stays incomplete', async () => {
    const { id, before, after } = await twoReadings();
    const half = before.map((row) =>
      row.type === 'project' ? (after.find(({ type }) => type === 'project') ?? row) : row,
    );
    const reading = readProjectRecord({ query: async () => half }, id);
    await expect(reading).rejects.toSatisfy(isUnavailable);
  });
});
