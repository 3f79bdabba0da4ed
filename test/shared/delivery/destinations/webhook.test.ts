import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  createWebhookDestination,
  type WebhookOptions,
} from '../../../../shared/delivery/destinations/webhook.ts';
import { aScore } from '../../../support/fixtures/builders.ts';
import { createTestClock, START } from '../../../support/service/test-clock.ts';
import { scriptedFetch } from '../../../support/stand-ins/scripted-fetch.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

async function delivered(options: Partial<WebhookOptions> = {}) {
  const { fetch, requests } = scriptedFetch(createTestClock(), new Response(null, { status: 204 }));
  const destination = createWebhookDestination({
    url: 'https://hooks.test/canvass',
    secret: secretOf(1),
    fetch,
    now: () => START + 999,
    ...options,
  });
  const outcome = await destination.deliver(aScore(), { timeoutMs: 1_000 });
  const [request] = requests;
  return {
    outcome,
    headers: Object.fromEntries(request?.headers ?? []),
    body: (await request?.text()) ?? '',
  };
}

/** Follows the scheme literally, with another implementation of HMAC. */
function signatureOf(byte: number, headers: Readonly<Record<string, string>>, body: string): string {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', Buffer.alloc(32, byte)).update(content).digest('base64')}`;
}

it('signs id, time and body; the id is the response’s', async () => {
  const { outcome, headers, body } = await delivered();
  expect(outcome).toEqual({ kind: 'delivered' });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': 'response-1',
    'webhook-timestamp': String(START / 1_000),
    'webhook-signature': signatureOf(1, headers, body),
  });
  expect(JSON.parse(body)).toEqual({ type: 'canvass.score', timestamp: aScore().at, data: aScore() });
});

it('signs with every secret while they rotate', async () => {
  const { headers, body } = await delivered({ secret: [secretOf(1), secretOf(2)] });
  expect(headers['webhook-signature']).toBe(
    `${signatureOf(1, headers, body)} ${signatureOf(2, headers, body)}`,
  );
});

it('leaves the text out when configured', async () => {
  expect(JSON.parse((await delivered({ includeText: false })).body).data).toEqual(aScore({ text: null }));
});

it.each([
  '',
  'whsec_',
  'whsec_c2hvcnQ=',
  `whsec_${'A'.repeat(200)}`,
  'whsec_***',
  Buffer.alloc(32).toString('base64'),
])('rejects %s as a secret', (secret) => {
  expect(() => createWebhookDestination({ url: 'https://hooks.test/', secret })).toThrow(TypeError);
});

it('rejects an invalid URL and an empty list of secrets', () => {
  expect(() => createWebhookDestination({ url: 'hooks', secret: secretOf(1) })).toThrow(TypeError);
  expect(() => createWebhookDestination({ url: 'https://hooks.test/', secret: [] })).toThrow(TypeError);
});
