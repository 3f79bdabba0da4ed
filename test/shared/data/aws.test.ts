import type { IncomingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPurgeStarter, createStepFunctionsClient } from '../../../shared/data/aws/purge-starter.ts';
import { createScoreWaker } from '../../../shared/data/aws/score-waker.ts';
import { createSecretsManagerSource } from '../../../shared/data/aws/secrets-manager.ts';
import { createTopicPublisher } from '../../../shared/data/aws/topic-publisher.ts';
import { isUnavailable } from '../../../shared/data/table/unavailable.ts';
import { executionName } from '../../../shared/domain/purge.ts';
import { serveInTest } from '../../support/serve.ts';
import { STATE_MACHINE_ARN, startStepFunctions } from '../../support/stand-ins/step-functions.ts';

interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = { readonly status: number; readonly body?: string | object } | 'reset';

/** The last answer repeats. */
async function startAws(name: string, ...answers: readonly Answer[]): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const url = await serveInTest(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    asked.push({ path: `${request.method} ${request.url}`, headers: request.headers, body });
    const answer = answers[asked.length - 1] ?? answers.at(-1) ?? 'reset';
    if (answer === 'reset') return response.destroy();
    const { status, body: reply = '' } = answer;
    response.writeHead(status).end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  });
  vi.stubEnv(`AWS_ENDPOINT_URL_${name}`, url);
  return asked;
}

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
});

describe('the purge starter', () => {
  it('starts an attempt once: the same execution while it runs, none after it has ended', async () => {
    const stepFunctions = await startStepFunctions();
    onTestFinished(stepFunctions.stop);
    const client = createStepFunctionsClient({ endpoint: stepFunctions.endpoint });
    const starter = createPurgeStarter(STATE_MACHINE_ARN, client);
    const scope = { projectId: 'f'.repeat(16) };
    const attempt = { attempt: 1, openedAt: '2026-11-20T09:30:00.000Z' };
    const name = executionName(scope, attempt);
    expect(await starter.start(scope, attempt)).toBe(name);
    expect(await starter.start(scope, attempt)).toBe(name);
    expect(stepFunctions.executions.size).toBe(1);
    stepFunctions.close(name);
    expect(await starter.start(scope, attempt)).toBeUndefined();
    const second = { ...attempt, attempt: 2 };
    expect(await starter.start(scope, second)).toBe(executionName(scope, second));
  });
});

/** AWS Lambda API Reference, "Invoke", read 2026-11-22. */
describe('the score waker', () => {
  const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:push';

  it("invokes the function asynchronously, signed by the caller's role", async () => {
    const asked = await startAws('LAMBDA', { status: 202 });
    await createScoreWaker(ARN).wake({ p1: 2 });
    expect(asked).toHaveLength(1);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ wake: { p1: 2 } });
    expect(asked[0]?.path).toBe(`POST /2015-03-31/functions/${encodeURIComponent(ARN)}/invocations`);
    expect(asked[0]?.headers).toMatchObject({
      'x-amz-invocation-type': 'Event',
      'x-amz-security-token': 'session',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/lambda\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/,
      ),
    });
  });

  it('throws when Lambda refuses', async () => {
    await startAws('LAMBDA', { status: 429 });
    await expect(createScoreWaker(ARN).wake({ p1: 1 })).rejects.toThrow('HTTP 429');
  });
});

describe('the source of secrets', () => {
  const SECRET = { status: 200, body: { SecretString: 'x'.repeat(32) } } as const;
  const startSecrets = (...answers: readonly Answer[]) => startAws('SECRETS_MANAGER', ...answers);
  const source = () => createSecretsManagerSource({ hashSecretId: 'arn:hash', tokenRingId: 'arn:ring' });

  it('reads a secret with one request', async () => {
    const asked = await startSecrets(SECRET);
    expect(await source().readHashSecret()).toEqual(Buffer.from('x'.repeat(32)));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers['x-amz-target']).toBe('secretsmanager.GetSecretValue');
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ SecretId: 'arn:hash' });
  });

  it.each<[string, Answer]>([
    ['a reset connection', 'reset'],
    ['an internal error', { status: 500, body: { __type: 'InternalServiceError' } }],
    ['throttling', { status: 400, body: { __type: 'com.amazon#ThrottlingException' } }],
  ])('tries again after %s', async (_what, answer) => {
    const asked = await startSecrets(answer, SECRET);
    await source().readHashSecret();
    expect(asked).toHaveLength(2);
  });

  it('gives up as an unavailable dependency after three attempts', async () => {
    const asked = await startSecrets('reset');
    await expect(source().readTokenRing()).rejects.toSatisfy(isUnavailable);
    expect(asked).toHaveLength(3);
  });

  it('throws errors that a second attempt cannot fix', async () => {
    const denied = { status: 400, body: { __type: 'AccessDeniedException', Message: 'arn:hash' } };
    const asked = await startSecrets(denied);
    const error = await source()
      .readHashSecret()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'AccessDeniedException',
      message: 'Secrets Manager refused the request: AccessDeniedException',
    });
    expect(isUnavailable(error)).toBe(false);
    expect(asked).toHaveLength(1);
  });
});

/** SNS API Reference, "Publish" and "Common errors". */
describe('the topic publisher', () => {
  const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:digest';
  const MESSAGE = { subject: 'Surveys', text: 'Grüße & more\n100 %', attributes: { projectId: 'shop' } };
  const TAKEN = {
    status: 200,
    body: '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>m</MessageId></PublishResult></PublishResponse>',
  };
  const refusal = (status: number, code: string): Answer => ({
    status,
    body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`,
  });

  it('publishes text, subject and attributes with a signature', async () => {
    const asked = await startAws('SNS', TAKEN);
    await createTopicPublisher(TOPIC)(MESSAGE);
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      Action: 'Publish',
      Version: '2010-03-31',
      TopicArn: TOPIC,
      Subject: 'Surveys',
      Message: 'Grüße & more\n100 %',
      'MessageAttributes.entry.1.Name': 'projectId',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': 'shop',
    });
    expect(asked[0]?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      authorization: expect.stringContaining('/eu-central-1/sns/aws4_request'),
    });
  });

  it('retries when SNS throttles, fails or answers with a page, up to three attempts', async () => {
    const page = { status: 200, body: '<html>Service Unavailable</html>' };
    const asked = await startAws('SNS', refusal(400, 'Throttling'), page, TAKEN);
    await createTopicPublisher(TOPIC)(MESSAGE);
    expect(asked).toHaveLength(3);
    const failing = await startAws('SNS', { status: 500 });
    await expect(createTopicPublisher(TOPIC)(MESSAGE)).rejects.toThrow('SNS refused the request: HTTP 500');
    expect(failing).toHaveLength(3);
  });

  it('names a refusal and does not retry it', async () => {
    const asked = await startAws('SNS', refusal(403, 'AuthorizationError'));
    await expect(createTopicPublisher(TOPIC)(MESSAGE)).rejects.toMatchObject({ name: 'AuthorizationError' });
    expect(asked).toHaveLength(1);
  });
});
