import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../functions/runtime/compose.ts';
import { projectSettings } from '../../functions/runtime/settings-cache.ts';
import { loadEndpoints } from '../../local/endpoints.ts';
import type { ErrorCode } from '../../shared/contract/errors.ts';
import {
  BODY_LIMIT_BYTES,
  type Path,
  pathsOf,
  type Route,
  refusalsOf,
  statusOf,
} from '../../shared/contract/route.ts';
import { startFaultProxy } from '../support/faults/fault-proxy.ts';
import { createProxiedClient } from '../support/faults/proxied-client.ts';
import { exampleRequest } from '../support/fixtures/example-request.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import {
  type CallOptions,
  createTestService,
  type Reply,
  type Tenant,
} from '../support/service/test-service.ts';
import { createTestTable } from '../support/service/test-table.ts';

const ENDPOINTS = await loadEndpoints();
const KEYED = ENDPOINTS.filter(({ route }) => route.key !== undefined);

let tenant: Tenant;
const table = await createTestTable();
const proxy = await startFaultProxy(table.endpoint);
const service = await createTestService({ table, client: createProxiedClient(proxy) });
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.heal();
  tenant = await service.tenant({ rates: { publishable: 1, secret: 1 } });
});

const keyOf = ({ key }: Route, of: Tenant): string => (key === 'secret' ? of.secretKey : of.publishableKey);
const goodKey = (route: Route): string => keyOf(route, tenant);

function exampleAt(route: Route, key: string, { method, path }: Path): CallOptions {
  const { body, ...request } = exampleRequest(route, key);
  if (method !== 'GET') return { ...request, body, method, path };
  const query = route.body === true ? { ...(request.query as object), userId: 'ann' } : request.query;
  return { ...request, ...(query !== undefined && { query }), method, path };
}

/** Tested below, in access.test.ts and in signed-in.test.ts for every route that takes a key. */
const OF_KEYS: readonly ErrorCode[] = [
  'invalid_key',
  'not_permitted',
  'origin_not_allowed',
  'project_suspended',
  'rate_limited',
];
/** Tested in precedence.test.ts for every route that takes show-tokens from clients. */
const OF_TOKENS: readonly ErrorCode[] = [
  'survey_not_found',
  'invalid_token',
  'token_expired',
  'token_mismatch',
];

describe.each(KEYED)('$route.name', (endpoint) => {
  const { route } = endpoint;

  it('401 for a malformed or unknown key at every path', async () => {
    for (const path of pathsOf(route))
      expect(codeOf(await service.call(endpoint, exampleAt(route, 'none', path)))).toBe('401 invalid_key');
  });

  it(
    route.rateLimited === true
      ? '429: beyond the rate of its key, over all its paths, until it says'
      : 'has no rate limit',
    async () => {
      const rate = 1 / (route.ownRate?.share ?? 1);
      const otherKind = route.key === 'secret' ? { publishable: 0 } : { secret: 0 };
      tenant = await service.tenant({ rates: { publishable: rate, secret: rate, ...otherKind } });
      const paths = pathsOf(route);
      const replies: Reply[] = [];
      for (let i = 0; i < 3; i++) {
        const path = paths[i % paths.length] ?? route;
        replies.push(await service.call(endpoint, exampleAt(route, goodKey(route), path)));
      }
      const statuses = replies.map(({ status }) => status);
      expect(statuses.slice(0, 2)).not.toContain(429);
      expect(statuses[2] === 429).toBe(route.rateLimited === true);
      if (route.rateLimited !== true) return;
      expect(replies.at(-1)).toMatchObject({
        headers: { 'retry-after': '1' },
        body: { error: { code: 'rate_limited' } },
      });
      service.clock.advance(1_000);
      const later = await service.call(endpoint, exampleRequest(route, goodKey(route)));
      expect(later.status).not.toBe(429);
    },
  );

  it('503 when DynamoDB is out of reach', async () => {
    proxy.inject({ fault: 'reset' });
    const reply = await service.call(endpoint, exampleRequest(route, goodKey(route)));
    expect(codeOf(reply)).toBe('503 temporarily_unavailable');
    expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });

  it("503 when nothing listens at DynamoDB's address", async () => {
    const gone = await startFaultProxy(table.endpoint);
    await gone.stop();
    const cut = await createTestService({ table, client: createProxiedClient(gone) });
    const reply = await cut.call(endpoint, exampleRequest(route, goodKey(route)));
    expect(codeOf(reply)).toBe('503 temporarily_unavailable');
  });

  it('500 for anything unexpected, without its details in the reply', async () => {
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

  it.each([...pathsOf(route)])('serves its example at $method $path', async (path) => {
    const reply = await service.call(endpoint, exampleAt(route, goodKey(route), path));
    expect(reply.status).toBeLessThan(500);
    expect(reply.body.error?.code).not.toBe('invalid_request');
    expect(reply.body.error?.code).not.toBe('invalid_key');
  });
});

const refusing = (code: ErrorCode) => KEYED.filter(({ route }) => refusalsOf(route).includes(code));

it.each(KEYED.filter(({ route }) => route.body))(
  '400 at $route.name when the body is not a JSON object or is too large, whatever the key',
  async (endpoint) => {
    const { route } = endpoint;
    for (const rawBody of ['{', '[]', 'null', JSON.stringify({ padding: 'x'.repeat(BODY_LIMIT_BYTES) })]) {
      for (const key of [goodKey(route), 'none']) {
        const { body: _body, ...request } = exampleRequest(route, key);
        expect(codeOf(await service.call(endpoint, { ...request, rawBody }))).toBe('400 invalid_request');
      }
    }
  },
);

it.each(refusing('origin_not_allowed'))(
  '403 at $route.name when the origin is not on the list',
  async (endpoint) => {
    const { route } = endpoint;
    const strict = await service.tenant({ allowedOrigins: ['https://shop.example'] });
    const request = exampleRequest(route, keyOf(route, strict));
    for (const headers of [{}, { origin: 'https://other.example' }])
      expect(codeOf(await service.call(endpoint, { ...request, headers }))).toBe('403 origin_not_allowed');
  },
);

it.each(refusing('project_suspended'))(
  '403 at $route.name when the project is suspended',
  async (endpoint) => {
    const { route } = endpoint;
    const suspended = await service.tenant({ status: 'suspended' });
    const request = exampleRequest(route, keyOf(route, suspended));
    expect(codeOf(await service.call(endpoint, request))).toBe('403 project_suspended');
  },
);

/**
 * Titles begin with the status that they test. Statuses that are tested for all routes at once need no test of their
 * own.
 */
describe('every declared status has a test', () => {
  const folder = join(import.meta.dirname, '../functions');

  it.each(ENDPOINTS.map(({ route }) => route))('exists at $name', (route) => {
    const source = globSync(`**/${route.name}*.test.ts`, { cwd: folder })
      .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
      .join('\n');
    const tested = new Set(
      [...source.matchAll(/(?:describe|it|test|\))\(\s*['"`](\d{3})\b/g)].map(([, status]) => Number(status)),
    );
    const refusals = refusalsOf(route);
    const held = [
      ...(route.key === undefined ? [] : OF_KEYS),
      ...(refusals.includes('token_mismatch') ? OF_TOKENS : []),
    ];
    const own = refusals.filter((code) => !held.includes(code)).map((code) => statusOf(code, route));
    const asked = [route.success.status, ...own].filter((status) => status < 500);
    expect(asked.filter((status) => !tested.has(status))).toEqual([]);
  });
});
