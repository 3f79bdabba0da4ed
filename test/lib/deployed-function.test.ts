/** Runs a bundle as deployed: with its environment, secrets like CloudFormation's, and a real table. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import { expect, it, vi } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { ENVIRONMENT } from '../../shared/settings/environment.ts';
import { serveInTest } from '../support/serve.ts';
import { TEST_HASH_SECRET } from '../support/service/test-secrets.ts';
import { callEvent, createTestService } from '../support/service/test-service.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const GENERATED = 'x9'.repeat(32);
const SECRETS: Readonly<Record<string, string>> = {
  // Keys contain a checksum that uses this secret.
  'arn:hash': Buffer.from(TEST_HASH_SECRET).toString(),
  'arn:ring': JSON.stringify({ keys: [], initial: GENERATED }),
};

/** A fake of Secrets Manager that supports only GetSecretValue. */
async function startSecrets(): Promise<{ endpoint: string; asked: string[] }> {
  const asked: string[] = [];
  const url = await serveInTest(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { SecretId } = JSON.parse(body);
    asked.push(`${request.headers['x-amz-target']} ${SecretId}`);
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ Name: SecretId, SecretString: SECRETS[SecretId] }));
  });
  return { endpoint: url, asked };
}

it('bundled functions respond: bootstrap issues a token, and another function accepts it', async () => {
  const { table, tenant } = await createTestService();
  const { publishableKey: key, surveys } = await tenant();
  const secrets = await startSecrets();
  const environment = {
    [ENVIRONMENT.tableName]: table.tableName,
    [ENVIRONMENT.stage]: 'test',
    [ENVIRONMENT.keyAbbreviation]: 'svc',
    [ENVIRONMENT.shards]: '16',
    [ENVIRONMENT.defaultAddressRate]: '20',
    [ENVIRONMENT.hashSecretId]: 'arn:hash',
    [ENVIRONMENT.tokenRingId]: 'arn:ring',
    [ENVIRONMENT.metricsNamespace]: 'canvass-test',
    AWS_LAMBDA_FUNCTION_NAME: 'test',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const folder = temporaryFolder();

  async function invoke(endpoint: Endpoint, body: object) {
    const { name } = endpoint.route;
    const outfile = join(folder, `${name}.cjs`);
    await bundleFunction(name, outfile);
    const { handler } = createRequire(import.meta.url)(outfile);
    const reply = await handler(callEvent(endpoint, { body }), { awsRequestId: 'r' } as Context);
    return { status: reply.statusCode, body: JSON.parse(reply.body) };
  }

  const issued = await invoke(bootstrap, { key, userId: 'ann' });
  expect(issued.status).toBe(200);
  const surveyId = surveys[0]?.id ?? '';
  const showToken = issued.body.showTokens[surveyId];
  const answered = await invoke(submitResponse, { key, surveyId, showToken, rating: 7 });
  expect(answered).toMatchObject({ status: 201, body: { ok: true } });
  expect([...new Set(secrets.asked)].sort()).toEqual([
    'secretsmanager.GetSecretValue arn:hash',
    'secretsmanager.GetSecretValue arn:ring',
  ]);
});
