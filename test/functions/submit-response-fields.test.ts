/** Limits of the fields of a response (docs/contract.md §3.4, §6.1 and §9.1). */

import { beforeAll, describe, expect, it } from 'vitest';
import { submitResponse } from '../../functions/submit-response.ts';
import { aSubmission, type Caller, codeOf, submit } from '../support/submission.ts';
import { createTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { showTokenOf } from '../support/tokens.ts';

let service: TestService;
let tenant: Tenant;
let caller: Caller;
beforeAll(async () => {
  service = await createTestService();
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
  caller = { service, tenant };
});

const oneKey = (length: number) => ({ k: 'v'.repeat(length) });
/** JSON around the value of one key `k`: `{"k":""}`. */
const AROUND = 8;
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

describe('400', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['no surveyId', { surveyId: undefined }, 'surveyId'],
    ['an empty surveyId', { surveyId: '' }, 'surveyId'],
    ['a surveyId with a lone surrogate', { surveyId: 'sv_\ud800' }, 'surveyId'],
    ['no rating', { rating: undefined }, 'rating'],
    ['rating null', { rating: null }, 'rating'],
    ['rating as text', { rating: '4' }, 'rating'],
    ['a fraction', { rating: 4.5 }, 'rating'],
    ['a rating above the outer bound', { rating: 11 }, 'rating'],
    ['a rating below the outer bound', { rating: -1 }, 'rating'],
    ['a text of 5,001 characters', { text: 'x'.repeat(5_001) }, 'text'],
    ['5,001 characters outside the basic plane', { text: '😀'.repeat(5_001) }, 'text'],
    ['a text that is none', { text: 1 }, 'text'],
    ['followUpRequested as text', { followUpRequested: 'true' }, 'followUpRequested'],
    ['an unknown identityKind', { identityKind: 'robot' }, 'identityKind'],
    ['a userId of 257 bytes', { userId: `${'ü'.repeat(128)}x` }, 'userId'],
    ['a sessionId with a lone surrogate', { sessionId: '\udfff' }, 'sessionId'],
    ['a traceId of 257 bytes', { traceId: 'x'.repeat(257) }, 'traceId'],
    ['an empty observationId', { observationId: '' }, 'observationId'],
    ['a taskType of 65 bytes', { taskType: `${'ü'.repeat(32)}x` }, 'taskType'],
    ['51 traits', { traits: keys(51) }, 'traits'],
    ['4,097 bytes of traits', { traits: oneKey(4_097 - AROUND) }, 'traits'],
    ['4,098 bytes of traits in fewer characters', { traits: { k: 'ü'.repeat(2_045) } }, 'traits'],
    ['a nested trait', { traits: { a: [] } }, 'traits'],
  ])('%s; the token stays good', async (_, fields, path) => {
    const token = await showTokenOf(service, tenant);
    const reply = await submit(caller, token, fields);
    expect(codeOf(reply)).toBe('400 invalid_request');
    expect(reply.body.error.issues).toEqual([{ path, message: expect.any(String) }]);
    expect((await submit(caller, token)).status).toBe(201);
  });

  it('infinite numbers', async () => {
    const body = JSON.stringify(aSubmission(tenant, 'token', { rating: 'N', traits: { a: 'N' } })).replaceAll(
      '"N"',
      '1e999',
    );
    const reply = await service.call(submitResponse, { rawBody: body });
    expect(reply.body.error.issues.map(({ path }: { path: string }) => path)).toEqual(['rating', 'traits']);
  });

  it('names every field that is wrong, and quotes none of it', async () => {
    const reply = await submit(caller, 'canary-token', {
      rating: 'canary-rating',
      text: 7,
      traits: { x: ['canary-trait'] },
    });
    expect(reply.body.error.issues).toHaveLength(3);
    expect(reply.text).not.toContain('canary');
  });

  it.each<[string, Record<string, unknown>]>([
    ['50 traits', { traits: keys(50) }],
    ['4,096 bytes of traits', { traits: oneKey(4_096 - AROUND) }],
    ['4,096 bytes of traits in fewer characters', { traits: { k: 'ü'.repeat(2_044) } }],
    ['a taskType of 64 bytes', { taskType: 'ü'.repeat(32) }],
    ['ids of 256 bytes', { userId: 'ü'.repeat(128), sessionId: '😀'.repeat(64), traceId: 'x'.repeat(256) }],
  ])('but not %s', async (_, fields) => {
    expect((await submit(caller, await showTokenOf(service, tenant), fields)).status).toBe(201);
  });
});
