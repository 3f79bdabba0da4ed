import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAdminCli, failed, runInProcess } from '../../support/admin-cli.ts';
import { anId } from '../../support/fixtures/builders.ts';
import { serveInTest } from '../../support/serve.ts';
import { createTestService } from '../../support/service/test-service.ts';
import { type AwsStandIn, startAws, stubAws } from '../../support/stack/aws-stand-in.ts';

const SECRETS = { hook: 'the new secret' };
const WEBHOOK_QUEUE = 'canvass-prod-hook';

const anEvent = () => JSON.stringify({ id: anId(), 'detail-type': 'Response Recorded' });

async function aReceiver(isTaken: (body: string) => boolean = () => true) {
  const taken: string[] = [];
  const url = await serveInTest(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const isKnown = request.headers.authorization === SECRETS.hook;
    const isJson = request.headers['content-type'] === 'application/json; charset=utf-8';
    if (isKnown && isJson && isTaken(body)) taken.push(body);
    response.writeHead(isKnown ? (taken.at(-1) === body ? 204 : 422) : 401).end();
  });
  return { url, taken };
}

let aws: AwsStandIn;
let queue: string[];
const outputs: Record<string, string> = {};

const deployWebhooks = (...urls: string[]) => {
  const queueUrl = `${aws.url}/123456789012/${WEBHOOK_QUEUE}`;
  outputs.Webhooks = JSON.stringify(urls.map((url) => ({ url, secretName: 'hook', queueUrl })));
};
const webhook = (...args: string[]) =>
  runInProcess(['webhook', ...args, '--stack', 'canvass-prod', '--json']);

beforeEach(async () => {
  queue = [];
  Object.assign(outputs, {
    KeyAbbreviation: 'svc',
    TableName: 't',
    ErasureLogTableName: 'e',
    IndexShards: '4',
  });
  delete outputs.Webhooks;
  aws = await startAws({
    dynamodb: 'http://127.0.0.1:9',
    outputs,
    secrets: { ...SECRETS },
    queues: { [WEBHOOK_QUEUE]: queue },
  });
  stubAws(aws.url);
});
afterEach(() => {
  vi.unstubAllEnvs();
  aws.stop();
});

describe('webhook', () => {
  it('list shows how many events are waiting', async () => {
    queue.push(anEvent(), anEvent());
    deployWebhooks('https://hooks.example.com/a');
    const { stdout } = await webhook('list');
    expect(JSON.parse(stdout)).toEqual([{ url: 'https://hooks.example.com/a', waiting: 2 }]);
  });

  it('resend posts each event unchanged with the current secret, and empties the queue', async () => {
    const { url, taken } = await aReceiver();
    const events = Array.from({ length: 23 }, anEvent);
    queue.push(...events);
    deployWebhooks(url);
    const ended = await webhook('resend');
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual({ url, sent: 23, refused: 0 });
    expect([...taken].sort()).toEqual([...events].sort());
    expect(queue).toEqual([]);
  });

  it('resend keeps events that are refused again, and prints the reason', async () => {
    const events = Array.from({ length: 12 }, anEvent);
    const { url } = await aReceiver((body) => body !== events[3]);
    queue.push(...events);
    deployWebhooks(url);
    const { status, stdout, stderr } = await webhook('resend');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ url, sent: 11, refused: 1 });
    expect(stderr).toContain('1 failed (HTTP 422)');
    expect(stderr).not.toContain('Response Recorded');
    expect(queue).toEqual([events[3]]);
  });

  it('resend sends at most ten requests to a receiver that accepts none', async () => {
    const { url, taken } = await aReceiver(() => false);
    queue.push(...Array.from({ length: 30 }, anEvent));
    deployWebhooks(url);
    expect(JSON.parse((await webhook('resend')).stdout)).toEqual({ url, sent: 0, refused: 10 });
    expect([taken, queue.length]).toEqual([[], 30]);
  });

  it('resend requires --url when there are several', async () => {
    const { url } = await aReceiver();
    queue.push(anEvent());
    deployWebhooks(url, `${url}/other`);
    expect(await webhook('resend')).toEqual(failed(2, /--url/));
    expect(JSON.parse((await webhook('resend', '--url', `${url}/other`)).stdout)).toMatchObject({ sent: 1 });
    const unknown = await webhook('resend', '--url', `${url}/othr`);
    expect(unknown).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`Did you mean ${url}/other?`),
    });
  });

  it('reports when there are none', async () => {
    expect((await webhook('list')).stderr).toContain('no webhooks');
    const local = await createAdminCli(await createTestService()).run('webhook', 'list');
    expect(local.stderr).toContain('A local instance has no webhooks');
  });
});
