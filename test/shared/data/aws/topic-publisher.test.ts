import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTopicPublisher } from '../../../../shared/data/aws/topic-publisher.ts';
import { serveInTest } from '../../../support/serve.ts';

const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:digest';
const MESSAGE = { subject: 'Surveys', text: 'Grüße & more\n100 %', attributes: { projectId: 'shop' } };
// SNS API Reference, "Publish" and "Common errors".
const TAKEN =
  '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>m</MessageId></PublishResult></PublishResponse>';
const refusal = (code: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`;

async function startSns(...answers: readonly { readonly status: number; readonly body: string }[]) {
  const asked: { headers: Record<string, unknown>; form: URLSearchParams }[] = [];
  const url = await serveInTest(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ headers: request.headers, form: new URLSearchParams(body) });
    const { status, body: reply } = answers[asked.length - 1] ?? answers.at(-1) ?? { status: 500, body: '' };
    response.writeHead(status).end(reply);
  });
  vi.stubEnv('AWS_ENDPOINT_URL_SNS', url);
  return asked;
}

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it('publishes text, subject and attributes with a signature', async () => {
  const asked = await startSns({ status: 200, body: TAKEN });
  await createTopicPublisher(TOPIC)(MESSAGE);
  expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
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
  const asked = await startSns(
    { status: 400, body: refusal('Throttling') },
    { status: 200, body: '<html>Service Unavailable</html>' },
    { status: 200, body: TAKEN },
  );
  await createTopicPublisher(TOPIC)(MESSAGE);
  expect(asked).toHaveLength(3);
  const failing = await startSns({ status: 500, body: '' });
  await expect(createTopicPublisher(TOPIC)(MESSAGE)).rejects.toThrow('SNS refused the request: HTTP 500');
  expect(failing).toHaveLength(3);
});

it('names a refusal and does not retry it', async () => {
  const asked = await startSns({ status: 403, body: refusal('AuthorizationError') });
  await expect(createTopicPublisher(TOPIC)(MESSAGE)).rejects.toMatchObject({ name: 'AuthorizationError' });
  expect(asked).toHaveLength(1);
});
