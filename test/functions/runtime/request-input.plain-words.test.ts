import { expect, it } from 'vitest';
import { ackScores } from '../../../functions/ack-scores.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { aSubmission } from '../../support/fixtures/submission.ts';
import { createTestService } from '../../support/service/test-service.ts';

const service = await createTestService();
const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });

it.each([
  ['nothing', {}, { path: 'userId', message: 'is required' }],
  ['null', { userId: null }, { path: 'userId', message: 'is required' }],
  ['a number', { surveyId: 42 }, { path: 'surveyId', message: 'must be a string' }],
  ['a word', { rating: 'nine' }, { path: 'rating', message: 'must be a number' }],
  ['half a step', { rating: 7.5 }, { path: 'rating', message: 'must be a whole number' }],
])('explains in plain words what is wrong with a field: %s in %j', async (_, fields, issue) => {
  const endpoint = issue.path === 'userId' ? submitDismissal : submitResponse;
  const body = { ...aSubmission(tenant, 'token'), ...fields };
  const { issues } = (await service.call(endpoint, { body })).body.error;
  expect(issues).toEqual([issue]);
});

it.each([
  ['an object', { results: {} }, { path: 'results', message: 'must be an array' }],
  ['a word', { results: ['x'] }, { path: 'results.0', message: 'must be an object' }],
])('explains in plain words what is wrong with a list: %s in %j', async (_, body, issue) => {
  const { issues } = (await service.call(ackScores, { body, secretKey: tenant.secretKey })).body.error;
  expect(issues).toEqual([issue]);
});
