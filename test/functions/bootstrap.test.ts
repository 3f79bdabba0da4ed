import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { createTestService, type TestService } from '../support/test-service.ts';

describe('bootstrap', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await createTestService();
  });

  it('200: issues a token for an eligible survey; once answered, the survey is suppressed and has none', async () => {
    const { publishableKey: key, surveys } = await service.tenant();
    const surveyId = surveys[0]?.id ?? '';
    const first = await service.call(bootstrap, { body: { key, userId: 'ann' } });
    expect(first.status).toBe(200);
    expect(first.body.surveys).toMatchObject([{ id: surveyId, scale: { min: 0, max: 10 } }]);
    expect(first.body.suppression).toEqual([]);
    const showToken = first.body.showTokens[surveyId];

    const submission = { key, surveyId, showToken, rating: 9, text: 'good' };
    const answer = await service.call(submitResponse, { body: submission });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ ok: true, id: expect.any(String), at: '2026-11-20T09:30:00.000Z' });
    const again = await service.call(submitResponse, { body: submission });
    expect(again.status).toBe(409);
    expect(again.body.error).toMatchObject({
      code: 'token_used',
      details: { id: answer.body.id, at: answer.body.at, kind: 'response' },
    });

    const second = await service.call(bootstrap, { body: { key, userId: 'ann' } });
    expect(second.body.suppression).toEqual([surveyId]);
    expect(second.body.showTokens).toEqual({});
  });
});
