/** test/promises/every-route.test.ts covers every route. */

import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { BODY_LIMIT_BYTES } from '../../../shared/contract/route.ts';
import { aSubmission, codeOf } from '../../support/fixtures/submission.ts';
import { showTokenOf, someone } from '../../support/fixtures/tokens.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

let tenant: Tenant;
const service = await createTestService();
beforeEach(async () => {
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
});

/** Has the given number of bytes, with multibyte filling. */
function bodyOf(fields: object, bytes: number): string {
  const empty = JSON.stringify({ ...fields, padding: '' });
  const room = bytes - Buffer.byteLength(empty);
  return JSON.stringify({ ...fields, padding: 'ü'.repeat(Math.floor(room / 2)) + 'x'.repeat(room % 2) });
}

describe('400 before any key is checked', () => {
  it.each([
    ['no JSON', 'rubbish'],
    ['cut-off JSON', '{"key":"x"'],
    ['two documents', '{}{}'],
    ['an array', '[]'],
    ['an array of objects', '[{}]'],
    ['a string', '"{}"'],
    ['a number', '1'],
    ['true', 'true'],
    ['null', 'null'],
    ['NaN', '{"a":NaN}'],
    ['a comment', '{/**/}'],
    ['a byte order mark', '\ufeff{}'],
    ['form data', 'key=svc_pk_x&userId=ann'],
    ['very deep nesting', `${'['.repeat(15_000)}${']'.repeat(15_000)}`],
  ])('for %s', async (_, rawBody) => {
    for (const base64 of [false, true]) {
      const reply = await service.call(bootstrap, { rawBody, base64 });
      expect(codeOf(reply)).toBe('400 invalid_request');
      expect(reply.body.error.issues).toEqual([{ path: '', message: expect.any(String) }]);
    }
  });

  it('for one byte over 64 KiB, plain or base64', async () => {
    const rawBody = bodyOf({}, BODY_LIMIT_BYTES + 1);
    expect(Buffer.byteLength(rawBody)).toBe(BODY_LIMIT_BYTES + 1);
    for (const base64 of [false, true]) {
      expect(codeOf(await service.call(bootstrap, { rawBody, base64 }))).toBe('400 invalid_request');
    }
  });
});

describe('keys with a meaning in JavaScript', () => {
  it.each([
    ['__proto__', '"__proto__":{"isAdmin":true,"key":"KEY","showToken":"x"}'],
    ['__proto__ within', '"traits":{"__proto__":{"isAdmin":true}}'],
    ['a prototype by way of the constructor', '"constructor":{"prototype":{"isAdmin":true}}'],
  ])('are unknown fields: %s', async (_, raw) => {
    const rawBody = `{${raw.replace('KEY', tenant.publishableKey)}}`;
    expect(codeOf(await service.call(submitResponse, { rawBody }))).toBe('401 invalid_key');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe('accepted bodies', () => {
  it('include exactly 64 KiB, plain or base64', async () => {
    const rawBody = bodyOf({ key: tenant.publishableKey }, BODY_LIMIT_BYTES);
    expect(Buffer.byteLength(rawBody)).toBe(BODY_LIMIT_BYTES);
    for (const base64 of [false, true]) {
      expect((await service.call(bootstrap, { rawBody, base64 })).status).toBe(200);
    }
  });

  it.each([
    ['no body', {}],
    ['an empty body', { rawBody: '' }],
    ['an empty base64 body', { rawBody: '', base64: true }],
    ['white space', { rawBody: ' \n' }],
    ['white space in base64', { rawBody: ' \n', base64: true }],
    ['an empty object', { rawBody: '{}' }],
  ])('include %s as an empty object', async (_, request) => {
    const reply = await service.call(bootstrap, { ...request, query: { key: tenant.publishableKey } });
    expect(reply.status).toBe(200);
  });

  it.each([
    'text/plain;charset=UTF-8',
    'application/json',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'nonsense',
    '',
  ])('include content type %j, which is ignored', async (contentType) => {
    const userId = 'Zoë 😀';
    const request = {
      body: { key: tenant.publishableKey, userId },
      headers: { 'content-type': contentType },
    };
    for (const base64 of [false, true]) {
      expect((await service.call(bootstrap, { ...request, base64 })).body.showTokens).toBeDefined();
    }
  });

  it('include unknown fields with dangerous names, and values nested in them', async () => {
    const showToken = await showTokenOf(service, tenant);
    const unknown = {
      newer: { deeply: [{ nested: null }] },
      constructor: 'x',
      toString: 1,
      hasOwnProperty: {},
      '': 1,
    };
    const body = aSubmission(tenant, showToken, unknown);
    expect((await service.call(submitResponse, { body })).status).toBe(201);
  });

  it('include null for every optional field', async () => {
    const nothing = { text: null, followUpRequested: null, userId: null, traits: null, identityKind: null };
    const session = { sessionId: null, observationId: null, traceId: null, taskType: null };
    const body = aSubmission(tenant, await showTokenOf(service, tenant), { ...nothing, ...session });
    expect((await service.call(submitResponse, { body })).status).toBe(201);

    const { key: _key, ...rest } = aSubmission(tenant, await showTokenOf(service, tenant), {
      userId: 'ann',
      ...session,
    });
    const dismissal = { query: { key: tenant.publishableKey }, body: { ...rest, key: null } };
    expect((await service.call(submitDismissal, dismissal)).status).toBe(201);

    const mint = {
      respondentId: someone(),
      sessionId: 's',
      observationId: null,
      traceId: null,
      taskType: null,
      surveyId: null,
    };
    expect((await service.call(mintTokens, { body: mint, secretKey: tenant.secretKey })).status).toBe(200);

    const none = await service.call(bootstrap, {
      body: { key: tenant.publishableKey, userId: null, traits: null },
    });
    expect([none.status, none.body.showTokens]).toEqual([200, undefined]);
  });
});

describe('bytes that are not UTF-8', () => {
  /** Replaces `@` with these bytes. */
  const bodyWith = (fields: object, bytes: readonly number[]): Buffer => {
    const [before = '', after = ''] = JSON.stringify(fields).split('@');
    return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  };
  const BROKEN = [
    ['a lone byte', [0xff]],
    ['another', [0xfe]],
    ['a character cut off', [0xf0, 0x9f, 0x98]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
  ] as const;

  it.each(BROKEN)('are 400 in identifying fields (%s), so that nobody shares a history', async (_, bytes) => {
    const key = tenant.publishableKey;
    const boot = { rawBody: bodyWith({ key, userId: 'inv@' }, bytes), base64: true };
    expect(codeOf(await service.call(bootstrap, boot))).toBe('400 invalid_request');
    const mint = {
      rawBody: bodyWith({ respondentId: 'inv@', sessionId: 's' }, bytes),
      base64: true,
      secretKey: tenant.secretKey,
    };
    expect(codeOf(await service.call(mintTokens, mint))).toBe('400 invalid_request');
    const escapes = bytes.map((byte) => `%${byte.toString(16)}`).join('');
    const asked = await service.call(bootstrap, { query: `key=${key}&userId=inv${escapes}` });
    expect(codeOf(asked)).toBe('400 invalid_request');
    expect(asked.body.error.issues).toEqual([{ path: 'userId', message: 'must be well-formed Unicode' }]);
  });

  it.each([
    ['before', [...Buffer.from('\\ud83d'), 0xff]],
    ['behind', [0xff, ...Buffer.from('\\udc00')]],
  ])('are 400 where half of an escaped character stands %s an invalid byte', async (_, bytes) => {
    const boot = bodyWith({ key: tenant.publishableKey, userId: 'inv@' }, bytes);
    expect(codeOf(await service.call(bootstrap, { rawBody: boot, base64: true }))).toBe(
      '400 invalid_request',
    );
  });

  it.each(['%', '%z', '%zz', '%u00e9', '100%'])('are 400 in the malformed escape %j', async (userId) => {
    const query = `key=${tenant.publishableKey}&userId=${userId}`;
    expect(codeOf(await service.call(bootstrap, { query }))).toBe('400 invalid_request');
  });

  it('are replaced in free text, like lone surrogates', async () => {
    const submission = aSubmission(tenant, await showTokenOf(service, tenant), { text: 'good @' });
    const reply = await service.call(submitResponse, {
      rawBody: bodyWith(submission, [0xff]),
      base64: true,
    });
    expect(reply.status).toBe(201);
  });

  it.each([
    ['userId=caf%C3%A9', 'café'],
    ['userId=a%2Bb+c', 'a+b c'],
    ['userId=%F0%9F%98%80', '😀'],
    ['userId=%EF%BF%BD', '\ufffd'],
  ])('are equal to those in the body: %s', async (query, userId) => {
    const reply = await service.call(bootstrap, {
      query: `key=${tenant.publishableKey}&${query}`,
      body: { userId },
    });
    expect(reply.status).toBe(200);
  });
});
