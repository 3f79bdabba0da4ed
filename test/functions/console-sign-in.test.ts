import { expect, it } from 'vitest';
import { consoleSignIn } from '../../functions/console-sign-in.ts';
import { providerAt } from '../support/fixtures/signed-in.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { createTestService } from '../support/service/test-service.ts';

const service = await createTestService();
const consoleProvider = providerAt('https://issuer.example/keys');
const ask = (project: string, of = service, sourceIp = '192.0.2.1') =>
  of.call(consoleSignIn, { query: { project }, sourceIp });

it("200 with the project's display name and public provider settings, without lists and keys", async () => {
  const { project } = await service.tenant({
    displayName: 'Shop',
    consoleProvider,
    consoleViewers: ['ann@example.com'],
    consoleEditors: ['group:secret-project'],
  });
  const { status, body, text } = await ask(project.id);
  const { jwks: _, ...told } = consoleProvider;
  expect([status, body]).toEqual([200, { project: { id: project.id, name: 'Shop', accent: null }, ...told }]);
  expect(text).not.toMatch(/ann@|secret-project|keys/);
});

it('200 for a suspended project, whose results stay visible', async () => {
  const { project } = await service.tenant({ status: 'suspended', consoleProvider });
  expect((await ask(project.id)).status).toBe(200);
});

it('404 for an unknown project and for one without sign-in, with the same text', async () => {
  const { project } = await service.tenant({ consoleViewers: ['group:research'] });
  const replies = [
    await ask(project.id),
    await ask('none'),
    await ask('svc/../x'),
    await ask('x'.repeat(200)),
  ];
  expect(new Set(replies.map(codeOf))).toEqual(new Set(['404 sign_in_not_found']));
  expect(new Set(replies.map(({ body }) => body.error.message)).size).toBe(1);
});

it('404 when the client id is also used by the product’s own users, because nobody is admitted', async () => {
  const identityProvider = {
    jwks: consoleProvider.jwks,
    issuer: consoleProvider.issuer,
    audience: consoleProvider.clientId,
  };
  const { project } = await service.tenant({ consoleProvider, identityProvider });
  expect(codeOf(await ask(project.id))).toBe('404 sign_in_not_found');
});

it('400 for a missing, empty or repeated project, or another parameter', async () => {
  const { project } = await service.tenant({ consoleProvider });
  for (const query of ['', 'project=', 'project=a&project=b', `project=${project.id}&key=x`]) {
    expect(codeOf(await service.call(consoleSignIn, { query }))).toBe('400 invalid_request');
  }
});

it('429 beyond the rate of its address, before anything is read', async () => {
  const limited = await createTestService({ table: service.table, config: { defaultAddressRate: 1 } });
  const { project } = await limited.tenant({ consoleProvider });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await ask(project.id, limited)).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect((await ask(project.id, limited, '192.0.2.2')).status).toBe(200);
});

it('404 when the request bypassed the edge of a stage that has one', async () => {
  const config = { edge: { originSecrets: ['secret'], isOpen: false } };
  const behind = await createTestService({ table: service.table, config });
  const { project } = await behind.tenant({ consoleProvider });
  expect(codeOf(await ask(project.id, behind))).toBe('404 sign_in_not_found');
});
