/** 500: our own fault, of which the caller learns a request id and nothing else; and what logs never say. */

import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { answers, keyUse, projectSettings, type Service } from '../../functions/runtime/compose.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { currentDeadline } from '../../shared/data/table/deadline.ts';
import { aSurvey } from '../support/builders.ts';
import { aSubmission, codeOf } from '../support/submission.ts';
import { createTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { boundTokenOf, showTokenOf, surveyOf } from '../support/tokens.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await createTestService();
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
});

const failing = (thrown: unknown) => (service: Service) => {
  const fail = () => Promise.reject(thrown);
  answers.replace(service, { history: fail, redeem: fail });
};

describe('500', () => {
  const CAUSE = 'the disk with svc_pk_secret is full';

  it.each([
    ['an error', new Error(CAUSE)],
    ['an error with a cause', new Error('outer', { cause: new TypeError(CAUSE) })],
    ['an error that looks like a refusal of the body', Object.assign(new Error(CAUSE), { statusCode: 422 })],
    [
      'an error that looks like a client error',
      Object.assign(new Error(CAUSE), { statusCode: 404, expose: true }),
    ],
    ['text', CAUSE],
    ['nothing', undefined],
    ['null', null],
  ])('%s thrown within', async (_, thrown) => {
    const broken = await createTestService({ table: service.table, arrange: failing(thrown) });
    const token = await showTokenOf(service, tenant);
    const user = { userId: 'ann' };
    for (const reply of [
      await broken.call(bootstrap, { body: { key: tenant.publishableKey, ...user } }),
      await broken.call(submitResponse, { body: aSubmission(tenant, token) }),
      await broken.call(submitDismissal, { body: aSubmission(tenant, token, user) }),
      await broken.call(mintTokens, {
        body: { respondentId: 'ann', sessionId: 's' },
        secretKey: tenant.secretKey,
      }),
    ]) {
      expect(codeOf(reply)).toBe('500 internal_error');
      expect(Object.keys(reply.body.error).sort()).toEqual(['code', 'message', 'requestId']);
      expect(reply.body.error.requestId).toBe(reply.headers['x-request-id']);
      expect(reply.text).not.toMatch(/disk|outer|TypeError|\.ts/);
    }
    expect(broken.logs).toHaveLength(4);
    for (const line of broken.logs) expect(JSON.parse(line)).toMatchObject({ level: 'error', status: 500 });
  });
});

describe('logs', () => {
  it('never carry text, traits, ids of people or sessions, keys or tokens', async () => {
    const canary = (what: string): string => `CANARY-${what}`;
    const person = canary('person');
    const fields = {
      text: canary('text'),
      traits: { [canary('trait-name')]: canary('trait-value') },
      userId: person,
      sessionId: canary('session'),
      traceId: canary('trace'),
      observationId: canary('observation'),
      taskType: canary('task'),
    };
    const { key, secretKey } = { key: tenant.publishableKey, secretKey: tenant.secretKey };
    const minted = {
      respondentId: person,
      sessionId: fields.sessionId,
      traceId: fields.traceId,
      taskType: fields.taskType,
    };
    const tokens = [
      await boundTokenOf(service, tenant, minted),
      await showTokenOf(service, tenant, { userId: person }),
    ];
    const broken = await createTestService({ table: service.table, arrange: failing(new Error('broken')) });
    const submission = (token: string | undefined, more = {}) => ({
      body: aSubmission(tenant, token ?? '', { ...fields, ...more }),
    });

    for (const by of [service, broken]) {
      await by.call(bootstrap, { query: { key, userId: person }, body: { traits: fields.traits } });
      await by.call(bootstrap, { query: { key: canary('key'), userId: person } });
      await by.call(bootstrap, { query: { key }, body: { key: canary('key') } });
      await by.call(mintTokens, { body: minted, secretKey });
      await by.call(mintTokens, { body: minted, secretKey: canary('key') });
      await by.call(submitResponse, submission(tokens[0], { sessionId: canary('other-session') }));
      await by.call(submitResponse, submission(tokens[0], { rating: canary('rating') }));
      await by.call(submitResponse, submission(canary('token')));
      await by.call(submitResponse, submission(tokens[0], { surveyId: canary('survey') }));
      await by.call(submitResponse, submission(tokens[0]));
      await by.call(submitResponse, submission(tokens[0]));
      await by.call(submitDismissal, submission(tokens[1]));
      await by.call(submitDismissal, submission(tokens[1]));
      await by.call(submitResponse, { rawBody: `{"text":"${canary('raw')}",` });
      await by.call(submitResponse, { rawBody: `{"__proto__":"${canary('raw')}"}` });
    }
    const lines = [...service.logs, ...broken.logs];
    expect(lines.length).toBeGreaterThanOrEqual(30);
    for (const line of lines) {
      expect(line).not.toMatch(/CANARY/);
      for (const secret of [key, secretKey, ...tokens]) expect(line).not.toContain(secret.slice(-24));
    }
    expect(lines.some((line) => line.includes(tenant.project.id))).toBe(true);
    expect(surveyOf(tenant)).not.toBe('');
  });
});

describe('a request that fails', () => {
  /** Ends long after anything that fails at once. */
  const slowly = (order: string[], what: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push(what);
  };

  /** Ends when its calls are cut off, as a call of the table does. */
  const untilCutOff = (order: string[]) =>
    new Promise<never>((_, reject) => {
      const signal = currentDeadline();
      signal?.addEventListener('abort', () => {
        order.push('read cut off');
        reject(signal.reason);
      });
    });

  it('leaves no read behind its reply, and does not wait for it', async () => {
    const order: string[] = [];
    const fail = () => Promise.reject(new Error('no settings'));
    const broken = await createTestService({
      table: service.table,
      arrange(service) {
        projectSettings.replace(service, {
          has: () => false,
          load: fail,
          reload: fail,
          forget: () => undefined,
        });
        answers.replace(service, {
          ...answers(service),
          history: () => untilCutOff(order),
        });
      },
    });
    const reply = await broken.call(bootstrap, { body: { key: tenant.publishableKey, userId: 'ann' } });
    order.push(codeOf(reply));
    expect(order).toEqual(['read cut off', '500 internal_error']);
  });

  it('leaves no write behind its reply', async () => {
    const order: string[] = [];
    const broken = await createTestService({
      table: service.table,
      arrange(service) {
        failing(new Error('no history'))(service);
        keyUse.replace(service, { note: slowly(order, 'written') });
      },
    });
    const body = { respondentId: 'ann', sessionId: 's' };
    const reply = await broken.call(mintTokens, { body, secretKey: tenant.secretKey });
    order.push(codeOf(reply));
    expect(order).toEqual(['written', '500 internal_error']);
  });
});

describe('a reply that the platform would not carry', () => {
  it('is 500 in our own shape, and counted', async () => {
    const many = Array.from({ length: 500 }, () => aSurvey({}, { question: '"'.repeat(8_000) }));
    const large = await createTestService({
      table: service.table,
      arrange(composed) {
        const cache = projectSettings(composed);
        const load: typeof cache.load = async (projectId) => {
          const settings = await cache.load(projectId);
          return settings && { ...settings, surveys: new Map(many.map((survey) => [survey.id, survey])) };
        };
        projectSettings.replace(composed, { ...cache, load });
      },
    });
    const reply = await large.call(bootstrap, { body: { key: tenant.publishableKey } });
    expect(codeOf(reply)).toBe('500 internal_error');
    expect(reply.body.error.requestId).toBe(reply.headers['x-request-id']);
    expect(JSON.parse(large.logs[0] ?? '')).toMatchObject({
      status: 500,
      projectId: tenant.project.id,
      reply_too_large: 1,
    });
  });
});
