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
import { createChat } from './chat.ts';
import { demoAssets, readPage } from './demo-files.ts';
import type { DemoProject } from './demo-project.ts';

type Event = APIGatewayProxyEventV2;
type Reply = APIGatewayProxyStructuredResultV2;

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

/** Names of this machine, with any port. Another one may be a page's own name, which it lets point here. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** For the page alone: a page of another origin must not read what is stored, under whatever name it reaches this service. */
const isOwnPage = ({ headers }: Event): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && OWN_HOST.test(headers.host ?? '');

const htmlOf = (name: string, key: string, body: string): string => `<!doctype html>
<html lang="en" data-key="${key}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fern &amp; Clay – Canvass, running locally</title>
<link rel="stylesheet" href="/demo/${name === 'panel' ? name : 'shop'}.css">
<link rel="icon" href="data:,">
<script type="module" src="/demo/${name}.js"></script>
${body}`;

const PAGES = { '/': 'panel', '/demo/chat': 'panel', '/demo/shop.html': 'shop', '/demo/chat.html': 'chat' };

/**
 * @param url of the gateway that serves these routes, once it does
 * @param lastEvents the newest first
 */
export function demoRoutes(
  demo: DemoProject,
  url: () => string,
  lastEvents: () => readonly CanvassEvent[],
): GatewayRoute[] {
  const chat = createChat(demo, url);
  let assets: ReturnType<typeof demoAssets> | undefined;

  type Handle = (event: Event, respondentId: string) => Reply | Promise<Reply>;
  const route = (path: string, handle: Handle, method = 'GET'): GatewayRoute => ({
    method,
    path,
    functionName: 'local-demo',
    handler: async (event) => handle(event, event.queryStringParameters?.respondentId ?? ''),
  });
  const elsewhere = () => reply(403, 'text/plain', 'For the page alone.');
  const own = (path: string, handle: Handle, method?: string) =>
    route(path, (event, person) => (isOwnPage(event) ? handle(event, person) : elsewhere()), method);
  return [
    ...Object.entries(PAGES).map(([path, name]) =>
      route(path, async () =>
        reply(200, 'text/html', htmlOf(name, demo.publishableKey, await readPage(`${name}.html`))),
      ),
    ),
    route('/demo/{asset}', async ({ rawPath }) => {
      // When it is first asked for: starting must not wait for it.
      assets ??= demoAssets();
      const asset = (await assets).get(basename(rawPath));
      const type = extname(rawPath) === '.css' ? 'text/css' : 'text/javascript';
      return reply(asset === undefined ? 404 : 200, type, asset ?? '');
    }),
    // With a key that stays behind the `#`.
    own('/demo/console', () =>
      reply(302, 'text/plain', '', { location: consoleLink(url(), demo.projectId, demo.editorKey) }),
    ),
    // Asked of the service with the secret key, which stays on this side.
    own('/demo/stored', async (_, respondentId) => {
      const headers = { authorization: `Bearer ${demo.secretKey}` };
      const query = new URLSearchParams({ respondentId });
      const exported = await fetch(`${url()}/v1/privacy/export?${query}`, { headers });
      // Of a person never seen there is nothing, which is no error here.
      return exported.status === 404 ? json({}) : json(await exported.json());
    }),
    own('/demo/messages', (_, person) => json(chat.read(person))),
    own('/demo/messages', async ({ body = '' }, person) => json(await chat.say(person, body)), 'POST'),
    own('/demo/events', () => json(lastEvents())),
  ];
}
