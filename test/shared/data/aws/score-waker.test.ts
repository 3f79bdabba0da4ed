import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScoreWaker } from '../../../../shared/data/aws/score-waker.ts';
import { serveInTest } from '../../../support/serve.ts';

const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:push';

/** AWS Lambda API Reference, "Invoke", read 2026-11-22. */
async function startLambda(status: number) {
  const requests: { request: IncomingMessage; body: string }[] = [];
  const url = await serveInTest(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    requests.push({ request, body });
    response.writeHead(status).end();
  });
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', url);
  return requests;
}

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
});
afterEach(() => vi.unstubAllEnvs());

it("invokes the function asynchronously, signed by the caller's role", async () => {
  const requests = await startLambda(202);
  await createScoreWaker(ARN).wake({ p1: 2 });
  expect(requests).toHaveLength(1);
  const [{ request, body } = { request: undefined, body: '' }] = requests;
  expect(JSON.parse(body)).toEqual({ wake: { p1: 2 } });
  expect(request?.method).toBe('POST');
  expect(request?.url).toBe(`/2015-03-31/functions/${encodeURIComponent(ARN)}/invocations`);
  expect(request?.headers).toMatchObject({
    'x-amz-invocation-type': 'Event',
    'x-amz-security-token': 'session',
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/lambda\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/,
    ),
  });
});

it('throws when Lambda refuses', async () => {
  await startLambda(429);
  await expect(createScoreWaker(ARN).wake({ p1: 1 })).rejects.toThrow('HTTP 429');
});
