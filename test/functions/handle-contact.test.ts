import { beforeEach, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { handleContact } from '../../functions/handle-contact.ts';
import { listContacts } from '../../functions/list-contacts.ts';
import { onChange } from '../../functions/on-change.ts';
import { contactSweep } from '../../functions/runtime/parts/contacts.ts';
import { hashAccessKey } from '../../shared/crypto/access-key.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { deriveKeyId } from '../../shared/domain/ids.ts';
import { KEY_SCOPES } from '../../shared/domain/project.ts';
import { openTestStream } from '../support/events/test-stream.ts';
import { dismiss } from '../support/fixtures/answered.ts';
import { exportOf } from '../support/fixtures/exported.ts';
import { anAnswer, exportedOf, type Given, revise } from '../support/fixtures/revising.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import type { Tenant } from '../support/service/test-service.ts';

const { service, recording } = await createRecordedService();
const WISH = { followUpRequested: true, text: 'Call me' } as const;

let tenant: Tenant;
let given: Given;

beforeEach(async () => {
  tenant = await service.tenant();
  given = await anAnswer({ service, tenant }, WISH);
});

const handle = (body: object = { handled: true }, id = given.id, secretKey = tenant.secretKey) =>
  service.call(handleContact, { secretKey, body: { id, ...body } });
const list = async (state = 'all') =>
  (await service.call(listContacts, { secretKey: tenant.secretKey, query: { state } })).body.contacts;
const statesOf = async () => [(await list('open')).length, (await list('handled')).length];
const keyId = () => deriveKeyId(hashAccessKey(tenant.secretKey));

async function anotherKey(): Promise<{ text: string; id: string }> {
  const { text, stored } = await service.addKey('secret', tenant.project.id, { scopes: KEY_SCOPES });
  service.clock.advance(2 * SECOND);
  return { text, id: stored.id };
}

it('200 with time, key and note; reopening removes them', async () => {
  service.clock.advance(SECOND);
  const at = new Date(service.clock.now()).toISOString();
  const { status, body } = await handle({ handled: true, note: 'Called' });
  expect([status, body]).toEqual([200, { ok: true, id: given.id, handled: true }]);
  expect((await list())[0].handled).toEqual({ at, by: keyId(), note: 'Called' });
  expect(await statesOf()).toEqual([0, 1]);
  expect((await handle({ handled: false })).body).toEqual({ ok: true, id: given.id, handled: false });
  expect((await list())[0].handled).toBeNull();
  expect(await statesOf()).toEqual([1, 0]);
});

it('200 when repeated, with or without a note: keeps the first person and writes nothing', async () => {
  await handle({ handled: true, note: 'Called' });
  const [{ handled }] = await list();
  const other = await anotherKey();
  await list();
  recording.take();
  for (const body of [{ handled: true }, { handled: true, note: 'Called' }, { handled: true, note: null }])
    expect((await handle(body, given.id, other.text)).status).toBe(200);
  expect(recording.take().filter(({ operation }) => operation === 'UpdateItem')).toHaveLength(1);
  expect((await list())[0].handled).toEqual(handled);
});

it('200 with another note, which changes the person; an empty note is no note', async () => {
  await handle({ handled: true, note: 'Called' });
  const other = await anotherKey();
  await handle({ handled: true, note: 'Wrote' }, given.id, other.text);
  expect((await list())[0].handled).toMatchObject({ by: other.id, note: 'Wrote' });
  await handle({ handled: true, note: '' });
  expect((await list())[0].handled).toMatchObject({ by: keyId(), note: null });
});

it('200 for two concurrent requests: the later one wins, and the contact is on one list', async () => {
  const notes = ['a', 'b', 'c', 'd', 'e', 'f'];
  const replies = await Promise.all(notes.map((note) => handle({ handled: true, note })));
  expect(replies.map(({ status }) => status)).toEqual(notes.map(() => 200));
  expect(notes).toContain((await list())[0].handled.note);
  await Promise.all([handle({ handled: false }), handle({ handled: true }), handle({ handled: false })]);
  expect((await statesOf()).reduce((sum, each) => sum + each)).toBe(1);
});

it('stays on the list that its row names, or none, during revisions, withdrawals and a sweep', async () => {
  const caller = { service, tenant };
  const sweep = () => contactSweep(service.service).sweep(tenant.project.id, { now: service.clock.now });
  const changes = [{ rating: 2, ...WISH }, { rating: 2 }, { rating: 2, ...WISH }, { withdraw: true }];
  for (const [index, change] of changes.entries()) {
    const [revised] = await Promise.all([
      revise(caller, given.showToken, { revision: index + 1, ...change }),
      handle({ handled: true, note: 'Called' }),
      handle({ handled: false }),
      sweep(),
    ]);
    expect(revised.status).toBe(200);
    expect((await sweep()).changed).toBe(0);
    const asks = 'followUpRequested' in change;
    expect((await statesOf()).reduce((sum, each) => sum + each)).toBe(asks ? 1 : 0);
    expect(await list()).toHaveLength(asks ? 1 : 0);
  }
});

it('200 with one read and one update', async () => {
  await list();
  recording.take();
  await handle();
  expect(recording.take().map(({ operation, units }) => ({ operation, units }))).toEqual([
    { operation: 'Query', units: { table: 1 } },
    { operation: 'UpdateItem', units: { table: 1, by_contact: 2 } },
  ]);
});

it("is exported with the answer, without `by` in a person's export, and causes no counts or events", async () => {
  const stream = openTestStream(service.table);
  await stream.read();
  await handle({ handled: true, note: 'Called' });
  const before = service.events.length;
  await onChange(service.service)({ Records: await stream.read() });
  stream.close();
  expect(service.events).toHaveLength(before);
  const { at } = (await list())[0].handled;
  const own = await exportedOf({ service, tenant }, given.respondentId);
  expect(own).toMatchObject({ revision: 0, handled: { at, note: 'Called' } });
  expect(own.handled).not.toHaveProperty('by');
  const { body } = await exportOf(service, tenant);
  expect(body.responses[0].handled).toEqual({ at, by: keyId(), note: 'Called' });
});

it.each([
  ['handled', {}],
  ['handled', { handled: 'yes' }],
  ['note', { handled: true, note: 'x'.repeat(501) }],
  ['note', { handled: true, note: 7 }],
])('400 naming %s: %j', async (path, body) => {
  const reply = await handle(body);
  expect([reply.status, reply.body.error.issues[0].path]).toEqual([400, path]);
});

it('200 with a note of 500 characters of any kind', async () => {
  expect((await handle({ handled: true, note: '🎉'.repeat(500) })).status).toBe(200);
  expect((await handle({ handled: true, note: 'x\ud800' })).status).toBe(200);
});

it('404 when the answer is unknown, erased, withdrawn, dismissed, without contact request, or of another project', async () => {
  const caller = { service, tenant };
  const silent = await anAnswer(caller, { text: 'words' });
  const withdrawn = await anAnswer(caller, WISH);
  await revise(caller, withdrawn.showToken, { revision: 1, withdraw: true });
  const erased = await anAnswer(caller, WISH);
  const { secretKey } = tenant;
  await service.call(erase, { secretKey, query: { respondentId: erased.respondentId } });
  const dismissed = await dismiss(service, tenant, 'dora');
  const theirs = await anAnswer({ service, tenant: await service.tenant() }, WISH);
  const unknown = ['none', '%2e%2e', '%ff', 'a'.repeat(43), '__proto__'];
  const gone = [silent.id, withdrawn.id, erased.id, dismissed.reply.body.id, theirs.id];
  for (const id of [...unknown, ...gone]) {
    const { status, body } = await handle({ handled: true }, id);
    expect([id, status, body.error?.code]).toEqual([id, 404, 'response_not_found']);
  }
});
