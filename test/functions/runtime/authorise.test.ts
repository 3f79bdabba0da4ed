import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { claimedKey } from '../../../functions/runtime/presented-request.ts';
import { type ClaimedKey, checkAccessKey } from '../../../shared/crypto/access-key.ts';
import { createProjectStore } from '../../../shared/data/projects/project-store.ts';
import { aKey, anId } from '../../support/fixtures/builders.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { TEST_HASH_SECRET } from '../../support/service/test-secrets.ts';
import { callEvent, createTestService, type Tenant } from '../../support/service/test-service.ts';

const projectId = anId();
const publishable = aKey('publishable', projectId);
const secret = aKey('secret', projectId);

const check = (claimed: ClaimedKey | undefined) => claimed && checkAccessKey(TEST_HASH_SECRET, claimed);

describe('a publishable key', () => {
  const present = (key: unknown) =>
    check(claimedKey(bootstrap.route, callEvent(bootstrap, {}), { key }, 'svc'));

  it('is accepted in the field `key`', () => {
    const { hash } = publishable.stored;
    expect(present(publishable.text)).toEqual({ kind: 'publishable', projectId, hash });
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['a number', 7],
    ['an object', {}],
    ['rubbish', 'rubbish'],
    ['of another abbreviation', publishable.text.replace('svc_', 'abc_')],
    ['cut short', publishable.text.slice(0, -1)],
    ['one character longer', `${publishable.text}A`],
    ['in upper case', publishable.text.toUpperCase()],
    ['with a space', ` ${publishable.text}`],
    ['with a lone surrogate', `${publishable.text.slice(0, -1)}\ud800`],
    ['of the other kind', secret.text],
  ])('is refused: %s', (_, key) => expect(present(key)).toBeUndefined());
});

describe('a secret key', () => {
  const bearer = `Bearer ${secret.text}`;
  const present = (headers: Record<string, string>, fields = {}) =>
    check(claimedKey(mintTokens.route, callEvent(mintTokens, { headers }), fields, 'svc'));

  it.each<[string, Record<string, string>]>([
    ['as a bearer', { authorization: bearer }],
    ['whatever the case of the scheme', { authorization: `bearer ${secret.text}` }],
    ['as the service key', { 'x-service-key': secret.text }],
    ['as both, when they agree', { authorization: bearer, 'x-service-key': secret.text }],
  ])('is accepted %s', (_, headers) => {
    expect(present(headers)).toEqual({ kind: 'secret', projectId, hash: secret.stored.hash });
  });

  it.each<[string, Record<string, string>]>([
    ['missing', {}],
    ['an empty header', { authorization: '' }],
    ['Bearer alone', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${secret.text}` }],
    ['no scheme', { authorization: secret.text }],
    ['a publishable key', { authorization: `Bearer ${publishable.text}` }],
    ['a publishable key as service key', { 'x-service-key': publishable.text }],
    ['two different keys', { authorization: bearer, 'x-service-key': aKey('secret', projectId).text }],
    ['a good and an empty one', { authorization: bearer, 'x-service-key': '' }],
    ['malformed', { 'x-service-key': secret.text.slice(1) }],
  ])('is refused: %s', (_, headers) => expect(present(headers)).toBeUndefined());

  it('is not read from body or query', () => expect(present({}, { key: secret.text })).toBeUndefined());
});

let tenant: Tenant;
const service = await createTestService();
const projects = createProjectStore(service.table.table, service.table.readIndex);
beforeEach(async () => {
  tenant = await service.tenant();
});

describe('keys that change', () => {
  it('are refused within 30 s of being revoked', async () => {
    const request = { body: { key: tenant.publishableKey, userId: 'ann' } };
    expect((await service.call(bootstrap, request)).status).toBe(200);
    const record = await projects.read(tenant.project.id);
    for (const { hash } of record?.keys ?? [])
      await projects.revokeKey(tenant.project.id, hash, '2026-11-20T09:30:00.000Z');
    service.clock.advance(30_000);
    expect(codeOf(await service.call(bootstrap, request))).toBe('401 invalid_key');
  });

  it('work immediately when new, although settings are cached', async () => {
    const request = { body: { key: tenant.publishableKey, userId: 'ann' } };
    expect((await service.call(bootstrap, request)).status).toBe(200);
    const fresh = aKey('publishable', tenant.project.id);
    await projects.addKey(tenant.project.id, fresh.stored);
    service.clock.advance(2_000);
    expect((await service.call(bootstrap, { body: { key: fresh.text, userId: 'ann' } })).status).toBe(200);
  });
});
