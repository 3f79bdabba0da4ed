/** What makes a genuine token unfit: other session values than it attests, or another place than its own. */

import { beforeAll, describe, expect, it } from 'vitest';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { aSubmission, type Caller, codeOf, submit } from '../../support/fixtures/submission.ts';
import { boundTokenOf, type Minting, showTokenOf } from '../../support/fixtures/tokens.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';

let service: TestService;
let tenant: Tenant;
let caller: Caller;
beforeAll(async () => {
  service = await createTestService();
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
  caller = { service, tenant };
});

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
  ])('does not fit %s, and stays good', async (_, minted, presented) => {
    const token = await boundTokenOf(service, tenant, minted);
    for (const endpoint of [submitResponse, submitDismissal]) {
      const body = { ...aSubmission(tenant, token, { userId: 'x' }), ...presented };
      expect(codeOf(await service.call(endpoint, { body }))).toBe('401 token_mismatch');
    }
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
  ])('fits: %s', async (_, minted, presented) => {
    const token = await boundTokenOf(service, tenant, minted);
    expect((await submit(caller, token, presented)).status).toBe(201);
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
