/** See docs/contract.md §5.1. */

import { beforeEach, describe, expect, it } from 'vitest';
import { erase } from '../../../functions/erase.ts';
import { listSurveys } from '../../../functions/list-surveys.ts';
import type { Endpoint } from '../../../functions/runtime/endpoint.ts';
import { loadEndpoints } from '../../../local/endpoints.ts';
import { hashAccessKey } from '../../../shared/crypto/access-key.ts';
import { KEY_SCOPES, type KeyKind, type KeyScope } from '../../../shared/domain/project.ts';
import { aKey } from '../../support/fixtures/builders.ts';
import { surveyOf } from '../../support/fixtures/tokens.ts';
import { type CallOptions, createTestService, type Tenant } from '../../support/service/test-service.ts';

const ALL = await loadEndpoints();
const SECRET = ALL.filter(({ route }) => route.key === 'secret');
/** Scopes of the contract's routes. Other routes need the scope of their entry. */
const NEEDS: Readonly<Record<string, KeyScope>> = {
  'mint-tokens': 'mint',
  'deferred-ask-link': 'mint',
  'list-pending-scores': 'scores',
  'ack-scores': 'scores',
  'export-responses': 'privacy',
  erase: 'privacy',
  'get-results': 'results',
  'list-comments': 'comments',
  'list-surveys': 'results',
  'list-contacts': 'comments',
  'handle-contact': 'contacts',
  'list-definitions': 'results',
  'get-overview': 'results',
  'put-definitions': 'surveys',
  'create-preview': 'surveys',
};
const READABLE = [
  'get-results',
  'list-comments',
  'list-surveys',
  'list-contacts',
  'list-definitions',
  'get-overview',
];
const EDITABLE = ['handle-contact', 'put-definitions', 'create-preview'];
/** Keys without explicit scopes never have these. */
const BY_NAME: readonly (KeyScope | undefined)[] = ['contacts', 'surveys'];

let tenant: Tenant;
const service = await createTestService();
beforeEach(async () => {
  tenant = await service.tenant();
});

async function keyWith(scopes?: readonly KeyScope[], kind: KeyKind = 'secret', expiresAt?: string) {
  const terms = { ...(scopes && { scopes }), expiresAt };
  const { text } = await service.addKey(kind, tenant.project.id, terms);
  // From now on, an unknown key reloads cached settings.
  service.clock.advance(2_000);
  return text;
}

function requestOf({ route }: Endpoint, secretKey: string): CallOptions {
  if (route.name === 'mint-tokens') return { secretKey, body: { respondentId: 'ann', sessionId: 's' } };
  if (route.name === 'deferred-ask-link')
    return { secretKey, body: { respondentId: 'ann', surveyId: surveyOf(tenant) } };
  if (route.name === 'ack-scores') return { secretKey, body: { results: [] } };
  if (route.name === 'handle-contact') return { secretKey, body: { id: 'none', handled: true } };
  if (route.name === 'erase') return { secretKey, query: { surveySlug: 'none' } };
  return { secretKey };
}

it('names a scope for every secret route', () => {
  const named = Object.fromEntries(SECRET.map(({ route }) => [route.name, route.scope]));
  expect(named).toMatchObject(NEEDS);
  expect(Object.values(named)).not.toContain(undefined);
});

describe.each(SECRET)('$route.name', (endpoint) => {
  const needed = endpoint.route.scope;

  it('opens with its scope and, unless the scope must be granted by name, with a key without scopes, but not with all other scopes', async () => {
    const others = KEY_SCOPES.filter((scope) => scope !== needed);
    const statusOf = async (key: string) => (await service.call(endpoint, requestOf(endpoint, key))).status;
    for (const scopes of [KEY_SCOPES, KEY_SCOPES.filter((scope) => scope === needed)])
      expect(await statusOf(await keyWith(scopes))).not.toBe(401);
    expect((await statusOf(await keyWith())) === 401).toBe(BY_NAME.includes(needed));
    expect(await statusOf(await keyWith(others))).toBe(401);
    expect(await statusOf(await keyWith([]))).toBe(401);
  });

  it('refuses a key without the scope like an unknown key', async () => {
    const lacking = await service.call(
      endpoint,
      requestOf(endpoint, await keyWith([needed === 'mint' ? 'scores' : 'mint'])),
    );
    const unknown = await service.call(endpoint, requestOf(endpoint, aKey('secret', tenant.project.id).text));
    const face = ({ status, body }: typeof lacking) => ({ status, error: { ...body.error, requestId: '' } });
    expect(face(lacking)).toEqual(face(unknown));
  });
});

describe("a person's key", () => {
  const ENDPOINTS = ALL.filter(({ route }) => route.key !== undefined);
  const readerWith = (scopes: readonly KeyScope[], expiresAt?: string) =>
    keyWith(scopes, 'reader', expiresAt);
  const opens = async (endpoint: Endpoint, key: string) => {
    const request = requestOf(endpoint, key);
    const query = { key, ...(typeof request.query === 'object' && request.query) };
    const sent = endpoint.route.key === 'publishable' ? { ...request, query } : request;
    return (await service.call(endpoint, sent)).status !== 401;
  };

  it.each(ENDPOINTS)('$route.name: opens only for readers, with its scope', async (endpoint) => {
    const isReadable = READABLE.includes(endpoint.route.name);
    expect(endpoint.route.readers ?? false).toBe(isReadable);
    const [numbers, all] = [await readerWith(['results']), await readerWith(['results', 'comments'])];
    expect(await opens(endpoint, all)).toBe(isReadable);
    expect(await opens(endpoint, numbers)).toBe(isReadable && endpoint.route.scope === 'results');
  });

  it.each(ENDPOINTS)(
    '$route.name: an editor key opens it only if readers or editors may use it, with its scope',
    async (endpoint) => {
      const { name, scope } = endpoint.route;
      const isEditable = EDITABLE.includes(name);
      expect(endpoint.route.editors ?? false).toBe(isEditable);
      const [some, all] = [
        await keyWith(['results', 'contacts'], 'editor'),
        await keyWith(KEY_SCOPES, 'editor'),
      ];
      expect(await opens(endpoint, all)).toBe(isEditable || READABLE.includes(name));
      const isOfSome = scope === 'results' || scope === 'contacts';
      expect(await opens(endpoint, some)).toBe(isOfSome && (isEditable || READABLE.includes(name)));
      expect(await opens(endpoint, await readerWith(['contacts']))).toBe(false);
      expect(await opens(endpoint, await readerWith(KEY_SCOPES))).toBe(READABLE.includes(name));
    },
  );

  it('is refused from the second of its expiry, and when it is revoked', async () => {
    const expiresAt = new Date(service.clock.now() + 10_000).toISOString();
    const key = await readerWith(['results'], expiresAt);
    expect(await opens(listSurveys, key)).toBe(true);
    service.clock.advance(7_999);
    expect(await opens(listSurveys, key)).toBe(true);
    service.clock.advance(1);
    expect(await opens(listSurveys, key)).toBe(false);
    const other = await readerWith(['results']);
    await service.projects.revokeKey(tenant.project.id, hashAccessKey(other), '2026-11-20T00:00:00.000Z');
    service.clock.advance(31_000);
    expect(await opens(listSurveys, other)).toBe(false);
  });

  it('allows ten requests a second and fifty at once, whatever the rate of secret keys', async () => {
    tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
    const secretKey = await readerWith(['results']);
    const ask = async () => (await service.call(listSurveys, { secretKey })).status;
    const counted = async (calls: number) => {
      const statuses = await Promise.all(Array.from({ length: calls }, ask));
      return [200, 429].map((status) => statuses.filter((each) => each === status).length);
    };
    expect(await counted(60)).toEqual([50, 10]);
    service.clock.advance(1_000);
    expect(await counted(12)).toEqual([10, 2]);
  });
});

describe('erase', () => {
  const statusOf = async (scopes: readonly KeyScope[], query: Record<string, string>) =>
    (await service.call(erase, { secretKey: await keyWith(scopes), query })).status;

  it('needs the scope account whenever that parameter is present, whatever its value', async () => {
    for (const query of [{ account: 'true' }, { account: 'no' }, { account: '', respondentId: 'ann' }])
      expect(await statusOf(['privacy'], query)).toBe(401);
    expect(await statusOf(['account'], { respondentId: 'ann' })).toBe(401);
    expect(await statusOf(['account'], { account: 'no' })).toBe(400);
    expect(await statusOf(['account'], { account: 'true' })).toBe(200);
  });
});
