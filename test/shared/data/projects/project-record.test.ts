import { expect, it } from 'vitest';
import { readProjectRecord } from '../../../../shared/data/projects/project-record.ts';
import { createProjectStore } from '../../../../shared/data/projects/project-store.ts';
import { accessKeyKey } from '../../../../shared/data/table/schema.ts';
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
