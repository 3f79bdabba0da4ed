/** docs/operations.md, "Backups in another account": a stage on the oldest backup, as far as data goes. */

import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { erase } from '../../../functions/erase.ts';
import { MOST_RESTORED_DAYS } from '../../../shared/data/table/erasure-log-schema.ts';
import { DAY, SECOND } from '../../../shared/domain/duration.ts';
import { createAdminCli } from '../../support/admin-cli.ts';
import { respond } from '../../support/fixtures/answered.ts';
import { NO_LIMITS } from '../../support/fixtures/linked-answer.ts';
import { createPurgeService } from '../../support/service/purge-service.ts';
import { restoreTable, takeBackup } from '../../support/service/restore-table.ts';
import type { TestTable } from '../../support/service/test-table.ts';

/** What of the log DynamoDB would still have: it deletes what has expired. */
async function expire({ client, erasureLogTableName }: TestTable, now: number): Promise<number> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: erasureLogTableName }));
  const expired = Items.filter(({ ttl }) => ttl * SECOND <= now);
  for (const { month, order } of expired)
    await client.send(new DeleteCommand({ TableName: erasureLogTableName, Key: { month, order } }));
  return Items.length - expired.length;
}

it('who was erased since the oldest backup that is kept is erased again', async () => {
  const { service } = await createPurgeService();
  const { table, clock } = service;
  const admin = createAdminCli(service);
  const tenant = await service.tenant({ limits: NO_LIMITS });
  await respond(service, tenant, 'ann');
  await respond(service, tenant, 'bob');
  const backup = await takeBackup(table);
  const madeAt = new Date(clock.now()).toISOString();
  clock.advance(SECOND);
  await service.call(erase, { secretKey: tenant.secretKey, query: { respondentId: 'ann' } });

  clock.advance(MOST_RESTORED_DAYS * DAY);
  expect(await expire(table, clock.now())).toBe(1);
  await restoreTable(table, backup);
  expect(JSON.stringify(await takeBackup(table))).toContain('"ann"');
  expect(await admin.json('erasures', 'replay', '--since', madeAt)).toMatchObject({
    respondents: 1,
    answersDeleted: 1,
  });
  const left = JSON.stringify(await takeBackup(table));
  expect(left).not.toContain('"ann"');
  expect(left).toContain('"bob"');
});
