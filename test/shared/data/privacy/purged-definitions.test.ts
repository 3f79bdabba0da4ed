import { describe, expect, it } from 'vitest';
import { createPurgedDefinitions } from '../../../../shared/data/privacy/purged-definitions.ts';
import { createDraftStore } from '../../../../shared/data/projects/draft-store.ts';
import { createKeyUseStore } from '../../../../shared/data/projects/key-use-store.ts';
import {
  createIdentitySecretStore,
  createProjectStore,
} from '../../../../shared/data/projects/project-store.ts';
import { createRateLeases } from '../../../../shared/data/projects/rate-leases.ts';
import { addressLeaseKey, keyLeaseKey, LINK_LEASES } from '../../../../shared/data/table/schema.ts';
import { createTable } from '../../../../shared/data/table/table.ts';
import { definitionOf } from '../../../../shared/domain/surveys/survey.ts';
import { createClientAround } from '../../../support/faults/failing-client.ts';
import { aKey, aProject, aSurvey } from '../../../support/fixtures/builders.ts';
import { scanAll } from '../../../support/scan-all.ts';
import { START } from '../../../support/service/test-clock.ts';
import { createTestTable, NO_LIMIT, type TestTable } from '../../../support/service/test-table.ts';

/** With two leases per key, the items exceed one batch of 25. */
const KEYS = 14;

async function aUsedProject({ table, readIndex }: TestTable) {
  const project = aProject();
  const survey = aSurvey();
  const keys = Array.from({ length: KEYS }, () => aKey('secret', project.id).stored);
  const store = createProjectStore(table, readIndex);
  await store.createProject(project, keys);
  await store.createSurvey(project.id, survey);
  const secret = { id: 'a', createdAt: '2026-11-20T09:30:00.000Z', sealed: 'sealed' };
  await createIdentitySecretStore(table).add(project.id, secret);
  const leases = createRateLeases(table);
  const use = createKeyUseStore(table, NO_LIMIT);
  const lease = (key: Parameters<typeof leases.ask>[0]) =>
    leases.ask(key, { permits: 1, offered: 1, refill: true }, { rate: 10, burst: 20, paid: 'after' }, START);
  const noteUse = () => Promise.all(keys.map(({ hash }) => use.record(project.id, hash, '2026-11-20')));
  for (const { hash } of keys) await lease(keyLeaseKey(project.id, hash));
  await lease(keyLeaseKey(project.id, LINK_LEASES));
  await noteUse();
  await createDraftStore(table).put(project.id, 'a', definitionOf(survey), START);
  for (const address of ['a', 'b']) await lease(addressLeaseKey(project.id, address));
  return { scope: { projectId: project.id }, survey, keys, lease, noteUse };
}

/** Batches are counted from 1. */
function tableWith(
  { endpoint, tableName }: TestTable,
  isMeant: (batch: number, keys: string) => boolean,
  what: () => Promise<void>,
) {
  const batches: Promise<unknown>[] = [];
  const client = createClientAround(endpoint, async ({ operation, input }, next) => {
    if (operation !== 'BatchWriteItemCommand') return next();
    const isThis = isMeant(batches.length + 1, input);
    const reply = (isThis ? what() : Promise.resolve()).then(next);
    batches.push(reply.catch(() => undefined));
    return reply;
  });
  const table = createTable(client, { name: tableName });
  return { table, ended: () => Promise.all(batches) };
}

describe('purging the settings of a project', () => {
  it('deletes them to the last lease, whichever batch fails', async () => {
    const table = await createTestTable();
    const settings = createPurgedDefinitions(table.table);
    const fault = async () => {
      throw new Error('the process died');
    };
    for (let failing = 1, ends = false; !ends; failing += 1) {
      const { scope } = await aUsedProject(table);
      const dying = tableWith(table, (batch) => batch === failing, fault);
      const removal = createPurgedDefinitions(dying.table).remove(scope);
      ends = await removal.then(
        () => true,
        () => false,
      );
      await dying.ended();
      expect(await settings.isAnythingLeft(scope.projectId)).toBe(!ends);
      await settings.remove(scope);
      expect(await scanAll(table, scope.projectId)).toEqual([]);
    }
  });

  it("deletes a key's use that is noted meanwhile when an interrupted purge is repeated", async () => {
    const table = await createTestTable();
    const { scope, survey, noteUse } = await aUsedProject(table);
    let isDead = false;
    const client = createClientAround(table.endpoint, async ({ input }, next) => {
      if (isDead) throw new Error('the process died');
      const output = await next();
      if (input.includes(`"SURVEY#${survey.id}"`)) {
        isDead = true;
        await noteUse();
      }
      return output;
    });
    const dying = createTable(client, { name: table.tableName });
    await expect(createPurgedDefinitions(dying).remove(scope)).rejects.toThrow('died');
    await createPurgedDefinitions(table.table).remove(scope);
    expect(await scanAll(table, scope.projectId)).toEqual([]);
  });

  it('deletes a lease that comes back while the keys are deleted', async () => {
    const table = await createTestTable();
    const { scope, keys, lease } = await aUsedProject(table);
    let came = 0;
    const arriving = tableWith(
      table,
      (_, text) => came === 0 && text.includes('KEY#'),
      async () => {
        for (const { hash } of keys)
          came += (await lease(keyLeaseKey(scope.projectId, hash))).granted ? 1 : 0;
      },
    );
    await createPurgedDefinitions(arriving.table).remove(scope);
    expect(came).toBe(KEYS);
    expect(await scanAll(table, scope.projectId)).toEqual([]);
  });
});
