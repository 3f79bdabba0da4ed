import { describe, expect, it } from 'vitest';
import { readProjectRecord } from '../../../../shared/data/projects/project-record.ts';
import { createProjectStore } from '../../../../shared/data/projects/project-store.ts';
import { accessKeyKey, projectKey } from '../../../../shared/data/table/schema.ts';
import { DAY } from '../../../../shared/domain/duration.ts';
import { linkLifetimeOf } from '../../../../shared/domain/project.ts';
import { servedTypes } from '../../../../shared/domain/surveys/served-types.ts';
import { aKey, aProject } from '../../../support/fixtures/builders.ts';
import { createTestTable } from '../../../support/service/test-table.ts';

it('passes over a key of a kind that a later release knows', async () => {
  const { table, readIndex } = await createTestTable();
  const project = aProject();
  const known = aKey('secret', project.id).stored;
  await createProjectStore(table, readIndex).createProject(project, [known]);
  const later = { ...known, type: 'key', kind: 'of-a-later-release', hash: 'a'.repeat(64) };
  await table.put({ ...accessKeyKey(project.id, later.hash), ...later });
  expect((await readProjectRecord(table, project.id))?.keys).toEqual([known]);
});

describe('a project whose row another release wrote', () => {
  it('of an earlier one: what is not there has the meaning that it had', async () => {
    const { table, readIndex } = await createTestTable();
    const project = aProject();
    await createProjectStore(table, readIndex).createProject(project, []);
    const read = (await readProjectRecord(table, project.id))?.project;
    expect(read).toEqual(project);
    expect(servedTypes(undefined, read?.typesUnlessSaid)).toContain('thumbs');
    expect(linkLifetimeOf(read ?? project)).toBe(7 * DAY);
  });

  it('of a later one, after a rollback: what is not known is passed over, and stays', async () => {
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
