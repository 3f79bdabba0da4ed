/** Requests as a product sends them, and the handlers that receive them. */

import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { bootstrap } from '../functions/bootstrap.ts';
import { mintTokens } from '../functions/mint-tokens.ts';
import { type Service, tokens } from '../functions/runtime/compose.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { submitDismissal } from '../functions/submit-dismissal.ts';
import { submitResponse } from '../functions/submit-response.ts';
import { lambdaContext } from '../local/lambda-invocation.ts';
import type { Route } from '../shared/contract/route.ts';
import { HOUR } from '../shared/domain/duration.ts';
import { gatewayEvent } from '../test/support/gateway-event.ts';
import type { Tenant } from './stage.ts';

/** The endpoints that carry nearly all of a product's load. */
export const HOT_ENDPOINTS = [bootstrap, submitResponse, submitDismissal, mintTokens] as const;

/** A comment of typical length. */
export const TEXT = 'The checkout kept forgetting my address, but support sorted it out within the hour.';

/** Bodies of requests to a hot route, each from a different respondent. */
async function hotBodies(
  route: string,
  count: number,
  { projectId, publishableKey: key, surveys }: Tenant,
  service: Service,
): Promise<object[]> {
  const people = Array.from({ length: count }, () => `user-${randomUUID()}`);
  if (route === bootstrap.route.name)
    return people.map((userId) => ({ key, userId, traits: { plan: 'pro' } }));
  if (route === mintTokens.route.name) {
    return people.map((respondentId) => ({ respondentId, sessionId: randomUUID() }));
  }
  const surveyId = surveys[0]?.id ?? '';
  const now = Date.now();
  const grants = people.map((respondentId) => ({ surveyId, respondentId, expiresAt: now + HOUR }));
  const sealed = await tokens(service).issue(projectId, grants, now);
  const said = route === submitResponse.route.name ? { rating: 9, text: TEXT } : {};
  return sealed.map((showToken, index) => ({ key, userId: people[index], surveyId, showToken, ...said }));
}

/** The event of a request from a browser. */
export function browserEvent(
  route: Route,
  body: object,
  { secretKey }: Pick<Tenant, 'secretKey'>,
  query = '',
): APIGatewayProxyEventV2 {
  return gatewayEvent({
    method: route.method,
    path: route.path,
    query,
    headers: {
      ...(route.key === 'secret' && { authorization: `Bearer ${secretKey}` }),
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'content-type': 'application/json',
      host: 'api.example.com',
      origin: 'https://shop.example.com',
      referer: 'https://shop.example.com/',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0',
      'x-amzn-trace-id': 'Root=1-691ef0c0-5f84a7b13c2d9e0a4b6c8d1f',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
    },
    body: JSON.stringify(body),
    sourceIp: '203.0.113.7',
  });
}

/** Events of requests to a hot route. */
export async function hotEvents(route: Route, count: number, tenant: Tenant, service: Service) {
  const bodies = await hotBodies(route.name, count, tenant, service);
  return bodies.map((body) => browserEvent(route, body, tenant));
}

/** Creates an instance of an endpoint's function. @throws Error for a reply other than success */
export function serve(endpoint: Endpoint, service: Service) {
  const { route } = endpoint;
  const handler = endpoint.create(service);
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const reply = await handler(event, lambdaContext(route.name, 30_000));
    if (reply.statusCode === route.success.status) return reply;
    throw new Error(`${route.name}: ${reply.statusCode} ${reply.body}`);
  };
}
