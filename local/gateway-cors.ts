import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayReply } from './gateway-reply.ts';

/** The CORS settings of an HTTP API, named as there. */
export interface CorsSettings {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  /** In seconds. */
  readonly maxAge: number;
}

/** The gateway's own reply to a preflight request, or undefined when this is none. */
export function preflightReply(
  method: string,
  headers: IncomingHttpHeaders,
  cors: CorsSettings,
): GatewayReply | undefined {
  if (method !== 'OPTIONS' || !headers.origin || !headers['access-control-request-method']) return undefined;
  const origin = allowedOrigin(headers.origin, cors);
  if (origin === undefined) return { status: 204, headers: {}, cookies: [], body: Buffer.alloc(0) };
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': cors.allowMethods.join(','),
      'access-control-allow-headers': cors.allowHeaders.join(','),
      'access-control-expose-headers': cors.exposeHeaders.join(','),
      'access-control-max-age': String(cors.maxAge),
    },
    cookies: [],
    body: Buffer.alloc(0),
  };
}

/** A function's reply with the gateway's CORS headers; what the function itself said about CORS is dropped, as API Gateway does. */
export function withCors(
  reply: GatewayReply,
  requestOrigin: string | undefined,
  cors: CorsSettings,
): GatewayReply {
  const own = Object.entries(reply.headers).filter(([name]) => !name.startsWith('access-control-'));
  const origin = requestOrigin === undefined ? undefined : allowedOrigin(requestOrigin, cors);
  const added =
    origin === undefined
      ? {}
      : {
          'access-control-allow-origin': origin,
          'access-control-expose-headers': cors.exposeHeaders.join(','),
        };
  return { ...reply, headers: { ...Object.fromEntries(own), ...added } };
}

function allowedOrigin(origin: string, { allowOrigins }: CorsSettings): string | undefined {
  if (allowOrigins.includes('*')) return '*';
  return allowOrigins.includes(origin) ? origin : undefined;
}
