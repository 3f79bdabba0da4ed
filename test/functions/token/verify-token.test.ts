/** test/promises/precedence.test.ts covers the other rules, for every route. */

import { describe, expect, it } from 'vitest';
import { codeOf, submit } from '../../support/fixtures/submission.ts';
import { boundTokenOf, type Minting } from '../../support/fixtures/tokens.ts';
import { createTestService } from '../../support/service/test-service.ts';

const service = await createTestService();
const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
const caller = { service, tenant };

describe('a session-bound token', () => {
  const FULL = { sessionId: 'session-1', traceId: 'trace-1', observationId: 'observation-1' };

  it.each<[string, Minting, Record<string, unknown>]>([
    ['another session', FULL, { ...FULL, sessionId: 'session-2' }],
    ['no session', FULL, { ...FULL, sessionId: undefined }],
    ['null as session', FULL, { ...FULL, sessionId: null }],
    ['another trace', FULL, { ...FULL, traceId: 'trace-2' }],
    ['no trace', FULL, { ...FULL, traceId: undefined }],
    ['another observation', FULL, { ...FULL, observationId: 'observation-2' }],
    ['no observation', FULL, { ...FULL, observationId: undefined }],
    [
      'trace and observation exchanged',
      FULL,
      { ...FULL, traceId: 'observation-1', observationId: 'trace-1' },
    ],
    ['other letter case', FULL, { ...FULL, sessionId: 'Session-1' }],
    ['a space more', FULL, { ...FULL, sessionId: 'session-1 ' }],
    ['another Unicode form', { sessionId: 'é' }, { sessionId: 'e\u0301' }],
  ])('does not match %s, and stays valid', async (_, minted, presented) => {
    const token = await boundTokenOf(service, tenant, minted);
    expect(codeOf(await submit(caller, token, presented))).toBe('401 token_mismatch');
    expect((await submit(caller, token, { ...minted })).status).toBe(201);
  });

  it.each<[string, Minting, Record<string, unknown>]>([
    ['what it does not attest is the word of the client', { sessionId: 'session-1' }, { ...FULL }],
    [
      'an observation without a trace',
      { sessionId: 's', observationId: 'o' },
      { sessionId: 's', observationId: 'o' },
    ],
    ['another task type', { ...FULL, taskType: 'refund' }, { ...FULL, taskType: 'search' }],
    ['another user id', { ...FULL, respondentId: 'agent-side' }, { ...FULL, userId: 'page-side' }],
    [
      'ids of 256 bytes',
      { sessionId: 'ü'.repeat(128), traceId: '😀'.repeat(64), observationId: 'o'.repeat(256) },
      { sessionId: 'ü'.repeat(128), traceId: '😀'.repeat(64), observationId: 'o'.repeat(256) },
    ],
  ])('matches: %s', async (_, minted, presented) => {
    const token = await boundTokenOf(service, tenant, minted);
    expect((await submit(caller, token, presented)).status).toBe(201);
  });
});
