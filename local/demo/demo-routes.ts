/** The shop at `/` of a local run: a page of a customer, the SDK as a customer serves it, and what has been stored. */

import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { FETCHED_NAMES } from '../../sdk/build-browser.ts';
import type { CanvassEvent } from '../../shared/domain/happening.ts';
import { resultsLink } from '../../shared/report/results-link.ts';
import type { GatewayRoute } from '../gateway.ts';
import { createChat, type Message } from './chat.ts';
import { createDemoFiles } from './demo-files.ts';
import type { DemoProject } from './demo-project.ts';

/** A customer's policy at its strictest: nothing inline, nothing evaluated. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Reply = APIGatewayProxyStructuredResultV2;

function reply(event: APIGatewayProxyEventV2, statusCode: number, type: string, body: string): Reply {
  return {
    statusCode,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      'x-request-id': event.requestContext.requestId,
    },
    body,
  };
}

/** Names of this machine, with any port. Another one may be a page's own name, which it lets point here. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/** For the page alone: a page of another origin must not read what is stored, under whatever name it reaches this service. */
const isOwnPage = ({ headers }: APIGatewayProxyEventV2): boolean =>
  headers['sec-fetch-site'] === 'same-origin' && OWN_HOST.test(headers.host ?? '');

const forbidden = (event: APIGatewayProxyEventV2): Reply =>
  reply(event, 403, 'text/plain', 'For the page alone.');

/** On to the results, with a key that stays behind the `#`. */
function openResults(event: APIGatewayProxyEventV2, url: string, { readerKey }: DemoProject): Reply {
  if (!isOwnPage(event)) return forbidden(event);
  const found = reply(event, 302, 'text/plain', '');
  return { ...found, headers: { ...found.headers, location: resultsLink(url, readerKey) } };
}

/** The person's rows, asked of the service with the secret key, which stays on this side. */
async function stored(
  event: APIGatewayProxyEventV2,
  url: string,
  { secretKey }: DemoProject,
): Promise<Reply> {
  if (!isOwnPage(event)) return forbidden(event);
  const query = new URLSearchParams({ respondentId: event.queryStringParameters?.respondentId ?? '' });
  const exported = await fetch(`${url}/v1/privacy/export?${query}`, {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  // Of a person never seen there is nothing, which is no error here.
  if (exported.status === 404) return reply(event, 200, 'application/json', '{}');
  return reply(event, exported.status, 'application/json', await exported.text());
}

const saying = z.object({ text: z.string() });

/** A conversation, which belongs to its person's page as well. */
async function messages(
  event: APIGatewayProxyEventV2,
  converse: (respondentId: string, text: string) => Promise<readonly Message[]> | readonly Message[],
): Promise<Reply> {
  const respondentId = event.queryStringParameters?.respondentId;
  if (!isOwnPage(event) || !respondentId) return forbidden(event);
  const { text } = saying.parse(JSON.parse(event.body || '{"text":""}'));
  return reply(event, 200, 'application/json', JSON.stringify(await converse(respondentId, text)));
}

/**
 * @param url of the gateway that serves these routes, once it does
 * @param lastEvents the newest first
 */
export function demoRoutes(
  demo: DemoProject,
  url: () => string,
  lastEvents: () => readonly CanvassEvent[],
): GatewayRoute[] {
  const files = createDemoFiles(demo);
  const chat = createChat(demo, url);
  const serve = (path: string, type: string, text: () => Promise<string>): GatewayRoute => ({
    method: 'GET',
    path,
    functionName: 'local-demo',
    handler: async (event) => reply(event, 200, type, await text()),
  });
  return [
    serve('/', 'text/html', files.html('index')),
    serve('/demo/chat', 'text/html', files.html('chat')),
    ...['shop', 'chat'].flatMap((name) => [
      serve(`/demo/${name}.css`, 'text/css', files.style(name)),
      serve(`/demo/${name}.js`, 'text/javascript', files.script(name)),
    ]),
    serve('/demo/canvass.mjs', 'text/javascript', files.module),
    ...FETCHED_NAMES.map((name) => serve(`/demo/${name}`, 'text/javascript', files.fetched(name))),
    {
      method: 'GET',
      path: '/demo/results',
      functionName: 'local-demo',
      handler: async (event) => openResults(event, url(), demo),
    },
    {
      method: 'GET',
      path: '/demo/stored',
      functionName: 'local-demo',
      handler: (event) => stored(event, url(), demo),
    },
    {
      method: 'GET',
      path: '/demo/messages',
      functionName: 'local-demo',
      handler: async (event) => messages(event, (respondentId) => chat.read(respondentId)),
    },
    {
      method: 'POST',
      path: '/demo/messages',
      functionName: 'local-demo',
      handler: (event) => messages(event, (respondentId, text) => chat.say(respondentId, text)),
    },
    {
      method: 'GET',
      path: '/demo/events',
      functionName: 'local-demo',
      handler: async (event) =>
        isOwnPage(event)
          ? reply(event, 200, 'application/json', JSON.stringify(lastEvents()))
          : forbidden(event),
    },
  ];
}
