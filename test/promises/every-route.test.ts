/** What holds of every route with a key: its refusals at the door, and our own failures. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projectSettings, type Service } from '../../functions/runtime/compose.ts';
import { loadEndpoints } from '../../local/endpoints.ts';
import { pathsOf, type Route, refusalsOf, statusOf } from '../../shared/contract/route.ts';
import { type FaultProxy, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { createProxiedClient } from '../support/faults/proxied-client.ts';
import { aKey } from '../support/fixtures/builders.ts';
import { exampleRequest } from '../support/fixtures/example-request.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';
import { createTestTable, type TestTable } from '../support/service/test-table.ts';

const ENDPOINTS = await loadEndpoints();
const KEYED = ENDPOINTS.filter(({ route }) => route.key !== undefined);

let table: TestTable;
let proxy: FaultProxy;
let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  table = await createTestTable();
  proxy = await startFaultProxy(table.endpoint);
  service = await createTestService({ table, client: createProxiedClient(proxy) });
});
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.heal();
  tenant = await service.tenant({ rates: { publishable: 1, secret: 1 } });
});

const goodKey = ({ key }: Route): string => (key === 'secret' ? tenant.secretKey : tenant.publishableKey);

describe.each(KEYED)('$route.name', (endpoint) => {
  const { route } = endpoint;

  it('401: a key of the other kind, an unknown one and none', async () => {
    const otherKey = route.key === 'secret' ? tenant.publishableKey : tenant.secretKey;
    for (const key of [otherKey, aKey(route.key ?? 'secret', tenant.project.id).text, '']) {
      expect(codeOf(await service.call(endpoint, exampleRequest(route, key)))).toBe('401 invalid_key');
    }
  });

  it(route.rateLimited === true ? '429: beyond the rate of its key' : 'has no rate limit', async () => {
    const rate = 1 / (route.ownRate?.part ?? 1);
    tenant = await service.tenant({ rates: { publishable: rate, secret: rate } });
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      statuses.push((await service.call(endpoint, exampleRequest(route, goodKey(route)))).status);
    }
    expect(statuses.slice(0, 2)).not.toContain(429);
    expect(statuses[2] === 429).toBe(route.rateLimited === true);
  });

  it('503: DynamoDB out of reach', async () => {
    proxy.inject({ fault: 'reset' });
    const reply = await service.call(endpoint, exampleRequest(route, goodKey(route)));
    expect(codeOf(reply)).toBe('503 temporarily_unavailable');
    expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });

  it('503: nothing listens where DynamoDB was', async () => {
    const gone = await startFaultProxy(table.endpoint);
    await gone.stop();
    const cut = await createTestService({ table, client: createProxiedClient(gone) });
    const reply = await cut.call(endpoint, exampleRequest(route, goodKey(route)));
    expect(codeOf(reply)).toBe('503 temporarily_unavailable');
  });

  it('500: anything unexpected, and nothing of it in the reply', async () => {
    const fail = () => Promise.reject(new TypeError(`cannot read ${tenant.project.id}`));
    const settings = { has: () => false, load: fail, reload: fail, forget: () => undefined };
    const arrange = (service: Service) => projectSettings.replace(service, settings);
    const broken = await createTestService({ table, arrange });
    const reply = await broken.call(endpoint, exampleRequest(route, goodKey(route)));
    expect(codeOf(reply)).toBe('500 internal_error');
    expect(Object.keys(reply.body.error).sort()).toEqual(['code', 'message', 'requestId']);
    expect(reply.text).not.toMatch(/TypeError|cannot read/);
    expect(broken.logs.filter((line) => line.includes('TypeError'))).toHaveLength(1);
  });

  it.each([...pathsOf(route)])('serves its example at $method $path', async ({ method, path }) => {
    const request = exampleRequest(route, goodKey(route));
    const query =
      method === 'GET' && route.body === true
        ? { ...(request.query as object), userId: 'ann' }
        : request.query;
    const { body: _body, ...bodiless } = request;
    const sent = method === 'GET' ? bodiless : request;
    const reply = await service.call(endpoint, {
      ...sent,
      ...(query !== undefined && { query }),
      method,
      path,
    });
    expect(reply.status).toBeLessThan(500);
    expect(reply.body.error?.code).not.toBe('invalid_request');
    expect(reply.body.error?.code).not.toBe('invalid_key');
  });
});

/** Titles of tests begin with the status they are about; 5xx is held above for every route. */
describe('every declared status has a test', () => {
  const folder = join(import.meta.dirname, '../functions');

  it.each(ENDPOINTS.map(({ route }) => route))('of $name', (route) => {
    const source = globSync(`**/${route.name}*.test.ts`, { cwd: folder })
      .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
      .join('\n');
    const tested = new Set(
      [...source.matchAll(/(?:describe|it|test|\))\(\s*['"`](\d{3})\b/g)].map(([, status]) => Number(status)),
    );
    const declared = [route.success.status, ...refusalsOf(route).map((code) => statusOf(code, route))];
    expect(declared.filter((status) => status < 500 && !tested.has(status))).toEqual([]);
  });
});
