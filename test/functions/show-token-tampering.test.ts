/** A show-token that was changed, or that belongs somewhere else (docs/contract.md §4.2, row 7, and §7.1). */

import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aSurvey } from '../support/builders.ts';
import { type Caller, codeOf, submit } from '../support/submission.ts';
import { createTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { boundTokenOf, showTokenOf } from '../support/tokens.ts';

let service: TestService;
let tenant: Tenant;
let caller: Caller;
beforeAll(async () => {
  service = await createTestService();
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
  caller = { service, tenant };
});

describe('a token that was changed', () => {
  it('is invalid whichever byte is changed, and stays good itself', async () => {
    const token = await boundTokenOf(service, tenant, { traceId: 'trace-1', taskType: 'refund' });
    const bytes = Buffer.from(token, 'base64url');
    for (let position = 0; position < bytes.length; position++) {
      for (const bit of [0, 7]) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(position) ^ (1 << bit), position);
        expect([position, codeOf(await submit(caller, changed.toString('base64url')))]).toEqual([
          position,
          '401 invalid_token',
        ]);
      }
    }
    expect((await submit(caller, token, { sessionId: 'session-1', traceId: 'trace-1' })).status).toBe(201);
  });

  it('is invalid however short or long it is cut', async () => {
    const token = await showTokenOf(service, tenant);
    for (let length = 1; length < token.length; length++) {
      expect([length, codeOf(await submit(caller, token.slice(0, length)))]).toEqual([
        length,
        '401 invalid_token',
      ]);
    }
    expect(codeOf(await submit(caller, `${token}AAAA`))).toBe('401 invalid_token');
    expect((await submit(caller, token)).status).toBe(201);
  });

  it('is invalid in every other encoding of the same bytes', async () => {
    // Survey ids of growing length: the token's last character carries 0, 2 or 4 unused bits.
    for (const id of ['sv_1', 'sv_12', 'sv_123']) {
      const other = await service.tenant({}, [aSurvey({ id: `${id}${randomBytes(4).toString('hex')}` })]);
      const token = await showTokenOf(service, other, { userId: '~~~~~' });
      const bytes = Buffer.from(token, 'base64url');
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      const twins = [...alphabet]
        .map((last) => `${token.slice(0, -1)}${last}`)
        .filter((twin) => twin !== token && Buffer.from(twin, 'base64url').equals(bytes));
      expect(twins).toHaveLength([0, 15, 3][bytes.length % 3] ?? -1);
      const variants = [
        ...twins,
        bytes.toString('base64'),
        `${token}=`,
        ` ${token}`,
        `${token}\n`,
        `${token}.`,
      ].filter((variant) => variant !== token);
      for (const variant of variants) {
        expect([variant, codeOf(await submit({ service, tenant: other }, variant))]).toEqual([
          variant,
          '401 invalid_token',
        ]);
      }
      expect((await submit({ service, tenant: other }, token)).status).toBe(201);
    }
  });

  it.each([
    ['rubbish', 'rubbish'],
    ['a JSON Web Token', 'eyJhbGciOiJub25lIn0.e30.'],
    ['a lone surrogate', '\ud800'],
    ['NUL', '\0'],
    ['1,024 characters', 'A'.repeat(1_024)],
  ])('%s is no token', async (_, token) => {
    expect(codeOf(await submit(caller, token))).toBe('401 invalid_token');
  });

  it.each([
    ['empty', ''],
    ['longer than a token can be', 'A'.repeat(1_025)],
    ['a number', 5],
    ['null', null],
    ['an array', ['x']],
  ])('%s fails the schema', async (_, showToken) => {
    const reply = await submit(caller, '', { showToken });
    expect(codeOf(reply)).toBe('400 invalid_request');
    expect(reply.body.error.issues).toEqual([{ path: 'showToken', message: expect.any(String) }]);
  });
});

describe('a token of somewhere else', () => {
  it('is invalid in another project, even for a survey with the same id', async () => {
    const survey = aSurvey();
    const here = await service.tenant({}, [survey]);
    const there = await service.tenant({}, [survey]);
    const token = await showTokenOf(service, there);
    expect(codeOf(await submit({ service, tenant: here }, token))).toBe('401 invalid_token');
    expect((await submit({ service, tenant: there }, token)).status).toBe(201);
  });

  it('is invalid in another stage with the same keys and the same table', async () => {
    const staging = await createTestService({ table: service.table, stage: 'staging' });
    const token = await showTokenOf(service, tenant);
    expect(codeOf(await submit({ service: staging, tenant }, token))).toBe('401 invalid_token');
    expect((await submit(caller, token)).status).toBe(201);
  });

  it('is a mismatch for another survey of the project', async () => {
    const both = await service.tenant({}, [aSurvey(), aSurvey()]);
    const token = await showTokenOf(service, both);
    const by = { service, tenant: both };
    expect(codeOf(await submit(by, token, { surveyId: both.surveys[1]?.id }))).toBe('401 token_mismatch');
    expect((await submit(by, token)).status).toBe(201);
  });
});
