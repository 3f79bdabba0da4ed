import { describe, expect, it } from 'vitest';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { aSubmission, codeOf } from '../support/fixtures/submission.ts';
import { showTokenOf } from '../support/fixtures/tokens.ts';
import { createTestService } from '../support/service/test-service.ts';

const service = await createTestService();
const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });

describe('a race for one token', () => {
  it.each([
    { endpoint: submitResponse, refusal: '409 token_used' },
    { endpoint: submitDismissal, refusal: '401 token_used' },
  ])(
    'gives exactly one 201 to 50 concurrent redemptions at $endpoint.route.name',
    async ({ endpoint, refusal }) => {
      const showToken = await showTokenOf(service, tenant);
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          service.call(endpoint, {
            body: aSubmission(tenant, showToken, { rating: index % 11, userId: 'x' }),
          }),
        ),
      );
      const recorded = replies.filter(({ status }) => status === 201);
      expect(recorded).toHaveLength(1);
      const rest = replies.filter(({ status }) => status !== 201);
      expect(new Set(rest.map(codeOf))).toEqual(new Set([refusal]));
      for (const { body } of rest)
        expect(body.error.details).toMatchObject({ id: recorded[0]?.body.id, at: recorded[0]?.body.at });
    },
  );

  it('accepts impression reports before, during and after a response or dismissal without using the token', async () => {
    for (const endpoint of [submitResponse, submitDismissal]) {
      const showToken = await showTokenOf(service, tenant);
      const body = aSubmission(tenant, showToken, { userId: 'x' });
      const calls = [submitImpression, endpoint, submitImpression].map((each) =>
        service.call(each, { body }),
      );
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([201, 201, 201]);
      expect((await service.call(submitImpression, { body })).status).toBe(201);
      expect((await service.call(endpoint, { body })).body.error.code).toBe('token_used');
    }
  });

  it('lets either a response or a dismissal win, and reports the winner to the other', async () => {
    const showToken = await showTokenOf(service, tenant);
    const body = aSubmission(tenant, showToken, { userId: 'x' });
    const [response, dismissal] = await Promise.all([
      service.call(submitResponse, { body }),
      service.call(submitDismissal, { body }),
    ]);
    const outcome = [codeOf(response), codeOf(dismissal)];
    expect([
      ['201 recorded', '401 token_used'],
      ['409 token_used', '201 recorded'],
    ]).toContainEqual(outcome);
    const [winner, loser] = response.status === 201 ? [response, dismissal] : [dismissal, response];
    expect(loser.body.error.details).toEqual({
      id: winner.body.id,
      at: winner.body.at,
      kind: winner === response ? 'response' : 'dismissal',
    });
  });
});
