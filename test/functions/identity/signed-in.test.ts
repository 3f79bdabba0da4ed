import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { getResults } from '../../../functions/get-results.ts';
import { handleContact } from '../../../functions/handle-contact.ts';
import { listComments } from '../../../functions/list-comments.ts';
import { listContacts } from '../../../functions/list-contacts.ts';
import { listSurveys } from '../../../functions/list-surveys.ts';
import { loadEndpoints } from '../../../local/endpoints.ts';
import { isOfPeople } from '../../../shared/contract/route.ts';
import { HOUR, SECOND } from '../../../shared/domain/duration.ts';
import { exampleRequest } from '../../support/fixtures/example-request.ts';
import { anAnswer } from '../../support/fixtures/revising.ts';
import {
  aConsoleTenant,
  CLIENT_ID,
  type ConsoleTenant,
  EDITOR,
  headersOf,
  VIEWER,
} from '../../support/fixtures/signed-in.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { startProvider } from '../../support/fixtures/user-tokens.ts';
import { createTestClock, START } from '../../support/service/test-clock.ts';
import { createTestService, type TestService } from '../../support/service/test-service.ts';
import { createRecordingClient } from '../../support/stand-ins/recording-client.ts';

const NOW = START / 1_000;

let service: TestService;

let tenant: ConsoleTenant;

const shared = await createTestService();

beforeEach(async () => {
  service = await createTestService({ table: shared.table, clock: createTestClock() });
  tenant = await aConsoleTenant(service);
});

const ask = (headers: Record<string, string>, of = service) => of.call(listSurveys, { headers });

const withToken = (token: string) => ask(headersOf(tenant.project.id, token));

const codeWith = async (claims: object, header?: { kid?: string }) =>
  codeOf(await withToken(await tenant.token({ ...VIEWER, ...claims }, header)));

const WRONG = '401 invalid_key';

const OPEN = '200 recorded';

describe('a token of the identity provider', () => {
  it('opens what the person may see, and records no key use', async () => {
    const { client, take } = createRecordingClient(service.table.endpoint);
    const warm = await createTestService({ table: service.table, clock: service.clock, client });
    const headers = await tenant.as(VIEWER);
    expect(codeOf(await ask(headers, warm))).toBe(OPEN);
    take();
    const { status, body } = await ask(headers, warm);
    expect([status, body.project.id]).toEqual([200, tenant.project.id]);
    expect(take()).toEqual([]);
  });

  it('needs the header that names its project', async () => {
    const { authorization = '', ...rest } = await tenant.as(VIEWER);
    const other = await aConsoleTenant(service);
    for (const headers of [
      { authorization },
      rest,
      { authorization, 'x-canvass-project': '' },
      { authorization, 'x-canvass-project': 'none' },
      { authorization, 'x-canvass-project': 'P#x' },
      { authorization, 'x-canvass-project': other.project.id },
      { 'x-service-key': authorization.slice(7), ...rest },
      { authorization, ...rest, 'x-service-key': 'another' },
    ])
      expect(codeOf(await ask(headers))).toBe(WRONG);
  });

  it('does not affect keys: with a key the header is ignored', async () => {
    const { publishableKey, secretKey } = tenant;
    const project = { 'x-canvass-project': 'none' };
    expect(codeOf(await ask({ authorization: `Bearer ${secretKey}`, ...project }))).toBe(OPEN);
    expect(codeOf(await ask({ authorization: `Bearer ${publishableKey}`, ...project }))).toBe(WRONG);
  });

  it('opens nothing in a project without sign-in, or after sign-in is removed', async () => {
    expect(await codeWith({})).toBe(OPEN);
    await service.projects.updateProject(tenant.project.id, { consoleProvider: null });
    service.clock.advance(30 * SECOND);
    expect(await codeWith({})).toBe(WRONG);
  });

  it("opens nothing when the console's client is also used by the product's own users", async () => {
    const { provider } = tenant.issuing;
    const same = await aConsoleTenant(service, { identityProvider: { ...provider, audience: CLIENT_ID } });
    expect(codeOf(await ask(await same.as(VIEWER)))).toBe(WRONG);
    const other = await aConsoleTenant(service, { identityProvider: provider });
    expect(codeOf(await ask(await other.as(VIEWER)))).toBe(OPEN);
  });
});

describe('401 for an unacceptable token', () => {
  it('that has expired, from that second on, or has no expiry', async () => {
    expect(await codeWith({ exp: NOW + 1 })).toBe(OPEN);
    expect(await codeWith({ exp: NOW })).toBe(WRONG);
    expect(await codeWith({ exp: undefined })).toBe(WRONG);
  });

  it('that was issued more than twelve hours ago, in the future, or at no given time', async () => {
    const exp = NOW + 86_400;
    const hours = 12 * (HOUR / SECOND);
    expect(await codeWith({ exp, iat: NOW - hours })).toBe(OPEN);
    expect(await codeWith({ exp, iat: NOW - hours - 1 })).toBe(WRONG);
    expect(await codeWith({ iat: NOW + 30 })).toBe(OPEN);
    expect(await codeWith({ iat: NOW + 31 })).toBe(WRONG);
    for (const iat of [undefined, null, 'now', String(NOW), [NOW], {}])
      expect(await codeWith({ iat })).toBe(WRONG);
  });

  it('of another issuer, another client, or several audiences of which the client is not the authorized one', async () => {
    expect(await codeWith({ iss: 'https://issuer.example/' })).toBe(WRONG);
    for (const aud of ['shop', [], undefined, 'Console']) expect(await codeWith({ aud })).toBe(WRONG);
    expect(await codeWith({ aud: [CLIENT_ID] })).toBe(OPEN);
    expect(await codeWith({ aud: [CLIENT_ID, 'shop'] })).toBe(WRONG);
    expect(await codeWith({ aud: [CLIENT_ID, 'shop'], azp: 'shop' })).toBe(WRONG);
    expect(await codeWith({ aud: [CLIENT_ID, 'shop'], azp: CLIENT_ID })).toBe(OPEN);
    expect(await codeWith({ azp: 'shop' })).toBe(WRONG);
  });

  it('that is an access token with an audience of the same name', async () => {
    expect(await codeWith({ token_use: 'id' })).toBe(OPEN);
    expect(await codeWith({ token_use: 'access' })).toBe(WRONG);
    for (const typ of ['at+jwt', 'application/at+jwt', 'AT+JWT'])
      expect(await codeWith({}, { typ } as object)).toBe(WRONG);
  });

  it('without a subject', async () => {
    for (const sub of [undefined, '', null, 7, ['u-1'], 'x'.repeat(256)])
      expect(await codeWith({ sub })).toBe(WRONG);
  });

  it('that is unsigned, signed with the public key as a secret or by another key, changed, or respelled', async () => {
    const claims = {
      ...VIEWER,
      iss: 'https://issuer.example',
      aud: CLIENT_ID,
      sub: 'u-1',
      iat: NOW,
      exp: NOW + 60,
    };
    const [key] = tenant.issuing.keys;
    const imported = await importJWK(key ?? {}, 'RS256', { extractable: true });
    if (imported instanceof Uint8Array) throw new Error('no public key');
    const publicKey = await exportSPKI(imported);
    const confused = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: key?.kid ?? '' });
    const foreign = await startProvider();
    const good = await tenant.token(VIEWER);
    const [header = '', payload = '', signature = ''] = good.split('.');
    const changed = Buffer.from(JSON.stringify({ ...claims, ...EDITOR })).toString('base64url');
    for (const token of [
      new UnsecuredJWT(claims).encode(),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.${signature}`,
      await confused.sign(new TextEncoder().encode(publicKey)),
      await foreign.sign(claims),
      await foreign.sign(claims, { kid: key?.kid ?? '' }),
      `${header}.${changed}.${signature}`,
      `${header}.${payload}.`,
      `${good}=`,
      `${good}.${signature}`,
      'a.b.c',
      'x'.repeat(9_000),
    ])
      expect(codeOf(await withToken(token))).toBe(WRONG);
    expect(await codeWith({ padding: 'x'.repeat(8_192) })).toBe(WRONG);
  });
});

describe('403 for people without permission', () => {
  it('who post as viewers, or read comments as viewers unless the project allows it', async () => {
    const given = await anAnswer({ service, tenant }, { followUpRequested: true, text: 'Call me' });
    const body = { id: given.id, handled: true };
    const [viewer, editor] = [await tenant.as(VIEWER), await tenant.as(EDITOR)];
    expect(codeOf(await service.call(handleContact, { headers: viewer, body }))).toBe('403 not_permitted');
    const query = { surveySlug: tenant.surveys[0]?.content.slug ?? '' };
    const all = await aConsoleTenant(service, { consoleComments: 'all' }, tenant.surveys);
    for (const [endpoint, more] of [
      [listContacts, {}],
      [listComments, { query }],
    ] as const) {
      expect(codeOf(await service.call(endpoint, { headers: viewer, ...more }))).toBe('403 not_permitted');
      expect(codeOf(await service.call(endpoint, { headers: editor, ...more }))).toBe(OPEN);
      const headers = await all.as(VIEWER);
      expect(codeOf(await service.call(endpoint, { headers, ...more }))).toBe(OPEN);
    }
    expect(codeOf(await service.call(getResults, { headers: viewer, query }))).toBe(OPEN);
    const contacts = await service.call(listContacts, { headers: editor });
    expect(contacts.body.contacts).toMatchObject([{ id: given.id, handled: null }]);
  });

  it('who were removed from the list or the group: within 30 s, and with their next token', async () => {
    const headers = await tenant.as(VIEWER);
    expect(codeOf(await ask(headers))).toBe(OPEN);
    await service.projects.updateProject(tenant.project.id, { consoleViewers: ['*@example.com'] });
    service.clock.advance(30 * SECOND);
    expect(codeOf(await ask(headers))).toBe('403 not_permitted');
  });

  it('is reported before input errors, and after identification', async () => {
    const of = async (claims: Readonly<Record<string, unknown>>) =>
      codeOf(await service.call(getResults, { headers: await tenant.as(claims), query: { nonsense: '1' } }));
    expect(await of({ groups: [] })).toBe('403 not_permitted');
    expect(await of({ ...VIEWER, exp: NOW })).toBe(WRONG);
    expect(await of(VIEWER)).toBe('400 invalid_request');
  });
});

describe('the person who handled a contact', () => {
  const handledBy = async (claims: Readonly<Record<string, unknown>>) => {
    const given = await anAnswer({ service, tenant }, { followUpRequested: true });
    const headers = await tenant.as({ ...EDITOR, ...claims });
    const reply = await service.call(handleContact, { headers, body: { id: given.id, handled: true } });
    expect(reply.status).toBe(200);
    const { body } = await service.call(listContacts, { headers, query: { state: 'handled' } });
    return body.contacts[0].handled.by;
  };

  it('is named by a verified address, or else by the permanent id', async () => {
    expect(await handledBy({ email: 'Boss@Example.org', email_verified: true })).toBe('boss@example.org');
    service.clock.advance(SECOND);
    expect(await handledBy({ email: 'boss@example.org', preferred_username: 'sam' })).toBe('sam (u-1)');
  });
});

describe('rate limits', () => {
  const limitedTo = (defaultAddressRate: number) =>
    createTestService({ table: service.table, clock: service.clock, config: { defaultAddressRate } });

  it('are per person: ten requests a second and fifty at once', async () => {
    const statusOf = async (sub: string) => (await ask(await tenant.as({ ...VIEWER, sub }))).status;
    const statuses = await Promise.all(Array.from({ length: 55 }, () => statusOf('u-1')));
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(await statusOf('u-2')).toBe(200);
  });

  it('429 counts failures by address before a signature is verified; success does not count', async () => {
    const limited = await limitedTo(1);
    const good = await tenant.as(VIEWER);
    for (let i = 0; i < 8; i++) expect((await ask(good, limited)).status).toBe(200);
    const requests = tenant.issuing.requests();
    const bad = headersOf(tenant.project.id, await tenant.token({ ...VIEWER, exp: NOW }));
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push(codeOf(await ask(bad, limited)));
    expect(codes).toEqual([WRONG, WRONG, '429 rate_limited']);
    // Signed-in people are not exempt from the limit of their IP address.
    expect(codeOf(await ask(good, limited))).toBe('429 rate_limited');
    const elsewhere = await limited.call(listSurveys, { headers: good, sourceIp: '198.51.100.7' });
    expect(elsewhere.status).toBe(200);
    expect(tenant.issuing.requests()).toBe(requests);
    service.clock.advance(SECOND);
    expect((await ask(good, limited)).status).toBe(200);
  });

  it('429 also counts people on no list, and made-up projects use up permits of an address', async () => {
    const limited = await limitedTo(1);
    const none = await tenant.as({ groups: [] });
    expect([(await ask(none, limited)).status, (await ask(none, limited)).status]).toEqual([403, 403]);
    expect((await ask(none, limited)).status).toBe(429);
    const { client, take } = createRecordingClient(service.table.endpoint);
    const recorded = await createTestService({
      table: service.table,
      clock: service.clock,
      client,
      config: { defaultAddressRate: 1 },
    });
    const token = await tenant.token(VIEWER);
    for (let i = 0; i < 6; i++) await ask(headersOf(`none${i}`, token), recorded);
    expect(take()).toHaveLength(2);
  });
});

describe("the identity provider's keys", () => {
  it('503 when they are unreachable and not cached; cached ones stay in use', async () => {
    tenant.issuing.goDown();
    const headers = await tenant.as(VIEWER);
    expect(codeOf(await ask(headers))).toBe('503 temporarily_unavailable');
    tenant.issuing.goDown(false);
    service.clock.advance(11 * SECOND);
    expect(codeOf(await ask(headers))).toBe(OPEN);
    tenant.issuing.goDown();
    service.clock.advance(11 * 60 * SECOND);
    expect(codeOf(await ask(headers))).toBe(OPEN);
  });

  it('503 when the reply is too large', async () => {
    const { keys } = tenant.issuing;
    keys.push({ kty: 'RSA', n: 'x'.repeat(300_000) });
    expect(await codeWith({})).toBe('503 temporarily_unavailable');
  });
});

it('keeps tokens, addresses and names out of every log line and reply', async () => {
  const claims = { ...VIEWER, sub: 'secret-sub', email: 'secret@example.com', email_verified: true };
  const token = await tenant.token(claims);
  await withToken(token);
  const refused = await withToken(await tenant.token({ ...claims, exp: NOW }));
  const [, payload = '', signature = ''] = token.split('.');
  for (const text of [...service.logs, refused.text]) {
    expect(text).not.toMatch(/secret-sub|secret@example/);
    expect(text.includes(payload) || text.includes(signature)).toBe(false);
  }
});

/** Every other route refuses people who are signed in. */
const OPENED: Readonly<Record<string, 'viewer' | 'viewer, where viewers see people' | 'editor'>> = {
  'get-results': 'viewer',
  'list-surveys': 'viewer',
  'list-definitions': 'viewer',
  'get-overview': 'viewer',
  'list-comments': 'viewer, where viewers see people',
  'list-contacts': 'viewer, where viewers see people',
  'handle-contact': 'editor',
  'put-definitions': 'editor',
  'create-preview': 'editor',
};

const KEYED = (await loadEndpoints()).filter(({ route }) => route.key !== undefined);

it('is tested for every route that people may use', () => {
  const named = KEYED.filter(({ route }) => isOfPeople(route)).map(({ route }) => route.name);
  expect(named.toSorted()).toEqual(Object.keys(OPENED).toSorted());
});

describe.each(KEYED)('$route.name', (endpoint) => {
  const { route } = endpoint;
  const opened = OPENED[route.name];
  const codeAs = async (tenant: ConsoleTenant, claims: Readonly<Record<string, unknown>>) => {
    const request = exampleRequest(route, undefined);
    return codeOf(await shared.call(endpoint, { ...request, headers: await tenant.as(claims) }));
  };
  const SHUT = /^401 invalid_key$/;
  const REFUSED = /^403 not_permitted$/;
  const OPEN = /^(2|404 (survey|response)_not_found|409 surveys_changed)/;

  it('admits editors, viewers, and viewers who may see people according to the route', async () => {
    const some = await aConsoleTenant(shared);
    const all = await aConsoleTenant(shared, { consoleComments: 'all' });
    const [editor, viewer, seer] = [
      await codeAs(some, EDITOR),
      await codeAs(some, VIEWER),
      await codeAs(all, VIEWER),
    ];
    expect(editor).toMatch(opened === undefined ? SHUT : OPEN);
    const lets = opened === 'viewer' ? OPEN : REFUSED;
    expect(viewer).toMatch(opened === undefined ? SHUT : lets);
    const letsSeer = opened === 'editor' ? REFUSED : OPEN;
    expect(seer).toMatch(opened === undefined ? SHUT : letsSeer);
  });
});
