import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSecretsManagerSource } from '../../../../shared/data/aws/secrets-manager.ts';
import { isUnavailable } from '../../../../shared/data/table/unavailable.ts';
import { serveInTest } from '../../../support/serve.ts';

type Answer = { readonly status: number; readonly body: object } | 'reset';

async function startSecrets(answers: readonly Answer[]): Promise<{ asked: string[] }> {
  const asked: string[] = [];
  const url = await serveInTest(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(`${request.headers['x-amz-target']} ${JSON.parse(body).SecretId}`);
    const answer = answers[asked.length - 1] ?? 'reset';
    if (answer === 'reset') return response.destroy();
    response.statusCode = answer.status;
    response.end(JSON.stringify(answer.body));
  });
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', url);
  return { asked };
}

const SECRET = { status: 200, body: { SecretString: 'x'.repeat(32) } } as const;
const IDS = { hashSecretId: 'arn:hash', tokenRingId: 'arn:ring' };

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

it('reads a secret with one request', async () => {
  const { asked } = await startSecrets([SECRET]);
  expect(await createSecretsManagerSource(IDS).readHashSecret()).toEqual(Buffer.from('x'.repeat(32)));
  expect(asked).toEqual(['secretsmanager.GetSecretValue arn:hash']);
});

it.each<[string, Answer]>([
  ['a reset connection', 'reset'],
  ['an internal error', { status: 500, body: { __type: 'InternalServiceError' } }],
  ['throttling', { status: 400, body: { __type: 'com.amazon#ThrottlingException' } }],
])('tries again after %s', async (_what, answer) => {
  const { asked } = await startSecrets([answer, SECRET]);
  await createSecretsManagerSource(IDS).readHashSecret();
  expect(asked).toHaveLength(2);
});

it('gives up as an unavailable dependency after three attempts', async () => {
  const { asked } = await startSecrets([]);
  const error = await createSecretsManagerSource(IDS)
    .readTokenRing()
    .catch((reason: unknown) => reason);
  expect(isUnavailable(error)).toBe(true);
  expect(asked).toHaveLength(3);
});

it('throws errors that a second attempt cannot fix', async () => {
  const denied = { status: 400, body: { __type: 'AccessDeniedException', Message: 'arn:hash' } };
  const { asked } = await startSecrets([denied]);
  const error = await createSecretsManagerSource(IDS)
    .readHashSecret()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    name: 'AccessDeniedException',
    message: 'Secrets Manager refused the request: AccessDeniedException',
  });
  expect(isUnavailable(error)).toBe(false);
  expect(asked).toHaveLength(1);
});
