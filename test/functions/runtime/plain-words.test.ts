import { beforeAll, expect, it } from 'vitest';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { aSubmission } from '../../support/submission.ts';
import { createTestService, type Tenant, type TestService } from '../../support/test-service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await createTestService();
  tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } });
});

it.each([
  ['nothing', {}, { path: 'userId', message: 'is required' }],
  ['null', { userId: null }, { path: 'userId', message: 'is required' }],
  ['a number', { userId: 42 }, { path: 'userId', message: 'must be a string' }],
  ['a word', { rating: 'nine' }, { path: 'rating', message: 'must be a number' }],
  ['half a step', { rating: 7.5 }, { path: 'rating', message: 'must be a whole number' }],
  ['a word', { followUpRequested: 'yes' }, { path: 'followUpRequested', message: 'must be true or false' }],
  ['a list', { traits: [] }, { path: 'traits', message: 'must be an object' }],
])('says in plain words what is wrong with a field: %s in %j', async (_, fields, issue) => {
  const endpoint = issue.path === 'userId' ? submitDismissal : submitResponse;
  const body = { ...aSubmission(tenant, 'token'), ...fields };
  const { issues } = (await service.call(endpoint, { body })).body.error;
  expect(issues).toEqual([issue]);
});
