/** Keys, good and bad (docs/contract.md §4.2, rows 1 and 2, and §5.1). */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { createProjectStore, type ProjectStore } from '../../shared/data/projects/project-store.ts';
import { aKey, anId, aProject } from '../support/builders.ts';
import { codeOf } from '../support/submission.ts';
import {
  type CallOptions,
  createTestService,
  type Reply,
  type Tenant,
  type TestService,
} from '../support/test-service.ts';

const PUBLISHABLE: readonly Endpoint[] = [bootstrap, submitResponse, submitDismissal];
const MINT_BODY = { respondentId: 'ann', sessionId: 's' };

let service: TestService;
let projects: ProjectStore;
let tenant: Tenant;
beforeAll(async () => {
  service = await createTestService();
  projects = createProjectStore(service.table.table, service.table.readIndex);
});
beforeEach(async () => {
  tenant = await service.tenant();
});

/** Everything of a refusal but what names the request. */
function faceOf({ status, headers, body }: Reply): unknown {
  const { 'x-request-id': _id, ...rest } = headers;
  const { requestId: _requestId, ...error } = body.error;
  return { status, headers: rest, error };
}

const badKeys = (): Record<string, unknown> => ({
  missing: undefined,
  null: null,
  empty: '',
  'a number': 7,
  'an object': {},
  rubbish: 'rubbish',
  'of another abbreviation': tenant.publishableKey.replace('svc_', 'abc_'),
  'cut short': tenant.publishableKey.slice(0, -1),
  'one character longer': `${tenant.publishableKey}A`,
  'in upper case': tenant.publishableKey.toUpperCase(),
  'with a space': ` ${tenant.publishableKey}`,
  'with a lone surrogate': `${tenant.publishableKey.slice(0, -1)}\ud800`,
  'of the wrong kind': tenant.secretKey,
  'of the right project but unknown': aKey('publishable', tenant.project.id).text,
  'of an unknown project': aKey('publishable', anId()).text,
});

describe('401: a publishable key that opens nothing', () => {
  it.each(PUBLISHABLE)('$route.name says the same of all of them', async (endpoint) => {
    const faces = new Set<string>();
    for (const [what, key] of Object.entries(badKeys())) {
      const reply = await service.call(endpoint, { body: { key, userId: 'ann' } });
      expect([what, codeOf(reply)]).toEqual([what, '401 invalid_key']);
      faces.add(JSON.stringify(faceOf(reply)));
    }
    expect(faces.size).toBe(1);
  });
});

describe('401: a secret key that opens nothing', () => {
  it('mint says the same of all of them', async () => {
    const { secretKey, publishableKey } = tenant;
    const tries: Record<string, CallOptions['headers']> = {
      missing: {},
      'an empty header': { authorization: '' },
      'Bearer alone': { authorization: 'Bearer ' },
      'another scheme': { authorization: `Basic ${secretKey}` },
      'no scheme': { authorization: secretKey },
      'a publishable key': { authorization: `Bearer ${publishableKey}` },
      'a publishable key as service key': { 'x-service-key': publishableKey },
      'two different keys': {
        authorization: `Bearer ${secretKey}`,
        'x-service-key': aKey('secret', tenant.project.id).text,
      },
      'a good and an empty one': { authorization: `Bearer ${secretKey}`, 'x-service-key': '' },
      unknown: { authorization: `Bearer ${aKey('secret', tenant.project.id).text}` },
      'of an unknown project': { 'x-service-key': aKey('secret', anId()).text },
      malformed: { 'x-service-key': secretKey.slice(1) },
    };
    const faces = new Set<string>();
    for (const [what, headers = {}] of Object.entries(tries)) {
      const reply = await service.call(mintTokens, { body: MINT_BODY, headers });
      expect([what, codeOf(reply)]).toEqual([what, '401 invalid_key']);
      faces.add(JSON.stringify(faceOf(reply)));
    }
    expect(faces.size).toBe(1);
  });

  it('is not taken from body or query', async () => {
    const body = { ...MINT_BODY, key: tenant.secretKey };
    const reply = await service.call(mintTokens, { body, query: { key: tenant.secretKey } });
    expect(codeOf(reply)).toBe('401 invalid_key');
  });

  it('opens with either header, with both when they agree, whatever the case of the scheme', async () => {
    const { secretKey } = tenant;
    for (const headers of [
      { authorization: `Bearer ${secretKey}` },
      { authorization: `bearer ${secretKey}` },
      { 'x-service-key': secretKey },
      { authorization: `Bearer ${secretKey}`, 'x-service-key': secretKey },
    ]) {
      expect((await service.call(mintTokens, { body: MINT_BODY, headers })).status).toBe(200);
    }
  });
});

describe('a key in the query or in the body', () => {
  const body = { userId: 'ann' };

  it('opens from either place, and from both when they agree', async () => {
    const key = tenant.publishableKey;
    for (const request of [
      { body, query: { key } },
      { body: { ...body, key } },
      { body: { ...body, key }, query: { key } },
      { body: { ...body, key: null }, query: { key } },
      { body, query: `key=${key}&key=${key}` },
    ]) {
      expect((await service.call(bootstrap, request)).status).toBe(200);
    }
  });

  it('is 400 when given twice and differing, whether or not either is good', async () => {
    const key = tenant.publishableKey;
    for (const request of [
      { body: { ...body, key }, query: { key: 'other' } },
      { body: { ...body, key: 'other' }, query: { key } },
      { body: { ...body, key: 7 }, query: { key } },
      { body, query: `key=${key}&key=other` },
    ]) {
      const reply = await service.call(bootstrap, request);
      expect(codeOf(reply)).toBe('400 invalid_request');
      expect(reply.body.error.issues).toEqual([{ path: 'key', message: expect.any(String) }]);
      expect(reply.text).not.toContain(key);
    }
  });
});

describe('keys come and go', () => {
  it('a revoked key dies within 30 s', async () => {
    const request = { body: { key: tenant.publishableKey, userId: 'ann' } };
    expect((await service.call(bootstrap, request)).status).toBe(200);
    const record = await projects.read(tenant.project.id);
    for (const { hash } of record?.keys ?? [])
      await projects.revokeKey(tenant.project.id, hash, '2026-11-20T09:30:00.000Z');
    service.clock.advance(30_000);
    expect(codeOf(await service.call(bootstrap, request))).toBe('401 invalid_key');
  });

  it('a new key works at once, although the settings are in memory', async () => {
    const request = { body: { key: tenant.publishableKey, userId: 'ann' } };
    expect((await service.call(bootstrap, request)).status).toBe(200);
    const fresh = aKey('publishable', tenant.project.id);
    await projects.addKey(tenant.project.id, fresh.stored);
    service.clock.advance(2_000);
    expect((await service.call(bootstrap, { body: { key: fresh.text, userId: 'ann' } })).status).toBe(200);
  });

  it('a key of a purged project opens nothing', async () => {
    const project = aProject({ purgedAt: '2026-11-20T09:00:00.000Z' });
    const keys = [aKey('publishable', project.id), aKey('secret', project.id)] as const;
    await projects.createProject(
      project,
      keys.map(({ stored }) => stored),
    );
    const publishable = await service.call(bootstrap, { body: { key: keys[0].text } });
    const secret = await service.call(mintTokens, { body: MINT_BODY, secretKey: keys[1].text });
    expect([codeOf(publishable), codeOf(secret)]).toEqual(['401 invalid_key', '401 invalid_key']);
  });
});
