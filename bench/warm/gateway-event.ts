import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Route } from '../../shared/contract/route.ts';

/** The event of a request as API Gateway sends it, with the headers a browser brings. */
export function gatewayEvent(route: Route, body: object, secretKey?: string): APIGatewayProxyEventV2 {
  const { method, path } = route;
  const requestId = randomUUID();
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: {
      ...(secretKey !== undefined && { authorization: `Bearer ${secretKey}` }),
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
    requestContext: {
      accountId: '000000000000',
      apiId: 'bench',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'Mozilla/5.0' },
      requestId,
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: '20/Nov/2026:09:30:00 +0000',
      timeEpoch: Date.now(),
    },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  };
}
