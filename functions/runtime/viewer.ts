import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { EDGE_HEADERS } from '../../shared/settings/environment.ts';
import type { EdgeTrust, ServiceConfig } from './service-config.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isThroughEdge(
  { headers }: Pick<APIGatewayProxyEventV2, 'headers'>,
  { originSecrets }: EdgeTrust,
): boolean {
  const presented = digest(headers[EDGE_HEADERS.originSecret] ?? '');
  const matches = originSecrets.map((secret) => timingSafeEqual(presented, digest(secret)));
  return matches.includes(true);
}

/**
 * Undefined if the request bypassed the edge and must not be served.
 * @param edge absent without an edge
 */
export function viewerAddress(
  event: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  edge: EdgeTrust | undefined,
): string | undefined {
  const { sourceIp } = event.requestContext.http;
  if (edge === undefined) return sourceIp;
  if (isThroughEdge(event, edge)) return event.headers[EDGE_HEADERS.viewerAddress];
  return edge.isOpen ? sourceIp : undefined;
}

/**
 * Public base URL without a trailing slash: the edge, or the host by which the gateway was called (API Gateway, "Create
 * AWS Lambda proxy integrations for HTTP APIs"). An open edge may not be reachable by its name yet; it counts once a
 * request came through it.
 */
export function serviceUrl(
  event: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  { publicUrl, edge }: Pick<ServiceConfig, 'publicUrl' | 'edge'>,
): string {
  if (publicUrl !== undefined && (edge?.isOpen !== true || isThroughEdge(event, edge))) return publicUrl;
  const { headers, requestContext } = event;
  return `${headers['x-forwarded-proto'] ?? 'https'}://${requestContext.domainName}`;
}
