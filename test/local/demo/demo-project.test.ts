import { join } from 'node:path';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { writePrivateFile } from '../../../local/data-folder.ts';
import { DEMO_SURVEYS, type OpenedDemo, openDemoProject } from '../../../local/demo/demo-project.ts';
import { checkAccessKey, parseAccessKey } from '../../../shared/crypto/access-key.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { createSurveyStore } from '../../../shared/data/projects/survey-store.ts';
import { surveyKey } from '../../../shared/data/table/schema.ts';
import { aKey, aProject, aSurvey } from '../../support/fixtures/builders.ts';
import { TEST_HASH_SECRET } from '../../support/service/test-secrets.ts';
import { createTestTable } from '../../support/service/test-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const table = await createTestTable();

const stores = () => ({
  store: createProjectStore(table.table, table.readIndex),
  surveyStore: createSurveyStore(table.table),
});

const open = (folder: string): Promise<OpenedDemo> =>
  openDemoProject({
    ...stores(),
    keyAbbreviation: 'svc',
    hashSecret: TEST_HASH_SECRET,
    folder,
    withAnswers: false,
  });

const slugsOf = ({ demo }: OpenedDemo): string[] => demo.surveys.map(({ slug }) => slug);
const ALL = DEMO_SURVEYS.map(({ slug }) => slug);

/** The folder of a version without thumbs. */
async function anOldFolder() {
  const folder = temporaryFolder();
  const project = aProject();
  const old = DEMO_SURVEYS.slice(0, 4).map((content) =>
    aSurvey({ content: { ...content, question: 'As it was?' }, status: 'archived' }),
  );
  const { store, surveyStore } = stores();
  await store.createProject(project, []);
  await surveyStore.write(project.id, { created: old, updated: [], order: old.map(({ id }) => id) });
  const remembered = { projectId: project.id, publishableKey: '', secretKey: '' };
  writePrivateFile(join(folder, 'demo.json'), JSON.stringify(remembered));
  return { folder, project, old };
}

describe('the demo project', () => {
  it('gets missing surveys after its own if an earlier version created it', async () => {
    const { folder, project, old } = await anOldFolder();
    expect(slugsOf(await open(folder))).toEqual(ALL);
    const record = await stores().store.read(project.id);
    expect(record?.surveys.slice(0, old.length)).toEqual(old);
    expect(record?.surveys.find(({ content }) => content.slug === 'reply')).toMatchObject({
      status: 'active',
      repeat: 'observation',
    });
  });

  it('is not changed by another start', async () => {
    const { folder, project } = await anOldFolder();
    await open(folder);
    const before = await stores().store.read(project.id);
    expect(slugsOf(await open(folder))).toEqual(ALL);
    expect(await stores().store.read(project.id)).toEqual(before);
  });

  it('replaces an editor key that lacks a scope', async () => {
    const folder = temporaryFolder();
    const { demo } = await open(folder);
    const { text, stored } = aKey('editor', demo.projectId, {
      scopes: ['results', 'comments', 'contacts'],
    });
    await stores().store.addKey(demo.projectId, stored);
    const { surveys: _, ...keys } = demo;
    writePrivateFile(join(folder, 'demo.json'), JSON.stringify({ ...keys, editorKey: text }));
    const again = await open(folder);
    expect(again.demo).toMatchObject({ publishableKey: demo.publishableKey, secretKey: demo.secretKey });
    const record = await stores().store.read(demo.projectId);
    const claimed = parseAccessKey('svc', again.demo.editorKey);
    const hash = claimed && checkAccessKey(TEST_HASH_SECRET, claimed)?.hash;
    expect(record?.keys.find((key) => key.hash === hash)?.scopes).toContain('surveys');
    expect((await open(folder)).demo).toEqual(again.demo);
  });

  it('has all surveys when it is new, and does not restore purged ones', async () => {
    const folder = temporaryFolder();
    const { demo } = await open(folder);
    expect(demo.surveys.map(({ slug }) => slug)).toEqual(ALL);
    const [purged] = demo.surveys;
    const Key = surveyKey(demo.projectId, purged?.id ?? '');
    await table.client.send(new DeleteCommand({ TableName: table.tableName, Key }));
    expect(slugsOf(await open(folder))).toEqual(ALL.slice(1));
  });
});
