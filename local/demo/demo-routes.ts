/**
 * The demo at `/` of a local run: pages of a customer, a shop and a chat, the SDK as a customer serves it, and around them
 * the panel that asks and shows what is stored.
 */

import { randomUUID } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { consoleLink } from '../../pages/person-links.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import type { GatewayRoute } from '../gateway.ts';
import { type Ask, createChat } from './chat.ts';
import { demoAssets, readPage } from './demo-files.ts';
import type { DemoProject } from './demo-project.ts';

type Event = APIGatewayProxyEventV2;
type Reply = APIGatewayProxyStructuredResultV2;
type Handle = (event: Event, respondentId: string) => Promise<Reply>;

const reply = (statusCode: number, type: string, body: string, more = {}): Reply => ({
  statusCode,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    // A customer's policy at its strictest: nothing inline, nothing evaluated.
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

/** Names of this machine, with any port. Another one may be a page's own name, which it lets point here. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** For the page alone: a page of another origin must not read what is stored, under whatever name it reaches this service. */
const isOwnPage = ({ headers }: Event): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && OWN_HOST.test(headers.host ?? '');

const elsewhere = () => reply(403, 'text/plain', 'For the page alone.');
const own = (path: string, handle: Handle, method?: string) =>
  route(path, async (event, person) => (isOwnPage(event) ? handle(event, person) : elsewhere()), method);

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
 * @param url of the gateway that serves these routes, once it does
 * @param lastEvents the newest first
 */
export function demoRoutes(
  demo: DemoProject,
  url: () => string,
  lastEvents: () => readonly CanvassEvent[],
): GatewayRoute[] {
  const headers = { authorization: `Bearer ${demo.secretKey}` };
  // The key stays on this side.
  const ask: Ask = (path, init) => fetch(`${url()}${path}`, { ...init, headers });
  const chat = createChat(ask);
  let assets: ReturnType<typeof demoAssets> | undefined;
  return [
    ...Object.entries(PAGES).map(([path, name]) =>
      route(path, async () => reply(200, 'text/html', await htmlOf(name, demo.publishableKey))),
    ),
    route('/demo/{asset}', async ({ rawPath }) => {
      // When it is first asked for: starting must not wait for it.
      assets ??= demoAssets();
      const asset = (await assets).get(basename(rawPath));
      const type = extname(rawPath) === '.css' ? 'text/css' : 'text/javascript';
      return reply(asset === undefined ? 404 : 200, type, asset ?? '');
    }),
    // With a key that stays behind the `#`.
    own('/demo/console', async () =>
      reply(302, 'text/plain', '', { location: consoleLink(url(), demo.projectId, demo.editorKey) }),
    ),
    own('/demo/stored', async (_, respondentId) => {
      const exported = await ask(`/v1/privacy/export?${new URLSearchParams({ respondentId })}`);
      // Of a person never seen there is nothing, which is no error here.
      return json(exported.status === 404 ? {} : await exported.json());
    }),
    own('/demo/messages', async (_, person) => json(chat.read(person))),
    own('/demo/messages', async ({ body = '' }, person) => json(await chat.say(person, body)), 'POST'),
    own('/demo/events', async () => json(lastEvents())),
  ];
}
