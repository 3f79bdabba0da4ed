/** The demo at `/`: a customer's shop and chat, with a control panel. */

import { randomUUID } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { consoleLink } from '../../pages/person-links.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import type { GatewayRoute } from '../gateway.ts';
import { demoAssets, readPage } from './demo-files.ts';
import type { DemoProject } from './demo-project.ts';

type Event = APIGatewayProxyEventV2;
type Reply = APIGatewayProxyStructuredResultV2;
type Handle = (event: Event, respondentId: string) => Promise<Reply>;

const reply = (statusCode: number, type: string, body: string, more = {}): Reply => ({
  statusCode,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    // The strictest policy that a customer may have.
    'content-security-policy':
      "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    'cache-control': 'no-cache',
    'x-request-id': randomUUID(),
    ...more,
  },
  body,
});
const json = (body: unknown) => reply(200, 'application/json', JSON.stringify(body));

const route = (path: string, handle: Handle, method = 'GET'): GatewayRoute => ({
  method,
  path,
  functionName: 'local-demo',
  handler: (event) => handle(event, event.queryStringParameters?.respondentId ?? ''),
});

/** Requests with other host names are refused, because a foreign name may resolve to this machine. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

const isOwnPage = ({ headers }: Event): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && OWN_HOST.test(headers.host ?? '');

const elsewhere = () => reply(403, 'text/plain', 'For the page alone.');
const own = (path: string, handle: Handle, method?: string) =>
  route(path, async (event, person) => (isOwnPage(event) ? handle(event, person) : elsewhere()), method);

const REPLIES = [
  [/water/i, 'Twice a week, when the soil is dry to the touch. Do not let water stand in the bowl.'],
  [/back|return/i, 'Yes, within 14 days. We collect it and refund you a day later.'],
  [/order/i, 'Order 1042 came on Tuesday at 10:40. Your neighbor took it in.'],
  [/(?:)/, 'I know about water, returns and your order. Ask me about one of them.'],
] as const;

/** Each canned reply has a minted token. Conversations are lost when the process ends. */
function createChat(ask: (path: string, init?: RequestInit) => Promise<Response>) {
  const conversations = new Map<string, readonly object[]>();
  const read = (respondentId: string) => conversations.get(respondentId) ?? [];

  async function say(respondentId: string, said: string): Promise<readonly object[]> {
    const session = { sessionId: `chat-${respondentId}`, traceId: randomUUID(), observationId: randomUUID() };
    const minted = await ask('/v1/sdk/tokens', {
      method: 'POST',
      body: JSON.stringify({ respondentId, surveySlug: 'reply', taskType: 'plant-care', ...session }),
    });
    const { bindings = {} }: { bindings?: Record<string, object> } = JSON.parse(await minted.text());
    const text = REPLIES.find(([about]) => about.test(said))?.[1];
    const reply = { from: 'agent', text, binding: bindings.reply };
    conversations.set(respondentId, [...read(respondentId), { from: 'person', text: said }, reply]);
    return read(respondentId);
  }
  return { read, say };
}

const PAGES = { '/': 'panel', '/demo/chat': 'panel', '/demo/shop.html': 'shop', '/demo/chat.html': 'chat' };

const htmlOf = async (name: string, key: string): Promise<string> => `<!doctype html>
<html lang="en" data-key="${key}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fern &amp; Clay – Canvass, running locally</title>
<link rel="stylesheet" href="/demo/${name === 'panel' ? name : 'shop'}.css">
<link rel="icon" href="data:,">
<script type="module" src="/demo/${name}.js"></script>
${await readPage(`${name}.html`)}`;

/**
 * @param url of the gateway, known once it runs
 * @param lastEvents newest first
 */
export function demoRoutes(
  demo: DemoProject,
  url: () => string,
  lastEvents: () => readonly CanvassEvent[],
): GatewayRoute[] {
  const headers = { authorization: `Bearer ${demo.secretKey}` };
  const ask = (path: string, init?: RequestInit) => fetch(`${url()}${path}`, { ...init, headers });
  const chat = createChat(ask);
  let assets: ReturnType<typeof demoAssets> | undefined;
  return [
    ...Object.entries(PAGES).map(([path, name]) =>
      route(path, async () => reply(200, 'text/html', await htmlOf(name, demo.publishableKey))),
    ),
    route('/demo/{asset}', async ({ rawPath }) => {
      // Built on the first request, for a fast start.
      assets ??= demoAssets();
      const asset = (await assets).get(basename(rawPath));
      const type = extname(rawPath) === '.css' ? 'text/css' : 'text/javascript';
      return reply(asset === undefined ? 404 : 200, type, asset ?? '');
    }),
    // Uses a fragment for the key, because fragments are never sent to a server.
    own('/demo/console', async () =>
      reply(302, 'text/plain', '', { location: consoleLink(url(), demo.projectId, demo.editorKey) }),
    ),
    own('/demo/stored', async (_, respondentId) => {
      const exported = await ask(`/v1/privacy/export?${new URLSearchParams({ respondentId })}`);
      return json(exported.status === 404 ? {} : await exported.json());
    }),
    own('/demo/messages', async (_, person) => json(chat.read(person))),
    own('/demo/messages', async ({ body = '' }, person) => json(await chat.say(person, body)), 'POST'),
    own('/demo/events', async () => json(lastEvents())),
  ];
}
