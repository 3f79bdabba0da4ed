/** Whose address a request comes from, and where people reach the service: the gateway's word, or CloudFront's. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { EDGE_HEADERS } from '../../shared/settings/environment.ts';
import type { EdgeTrust, ServiceConfig } from './service-config.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether CloudFront brought the request. */
function isThroughEdge(
  { headers }: Pick<APIGatewayProxyEventV2, 'headers'>,
  { originSecrets }: EdgeTrust,
): boolean {
  const presented = digest(headers[EDGE_HEADERS.originSecret] ?? '');
  const matches = originSecrets.map((secret) => timingSafeEqual(presented, digest(secret)));
  return matches.includes(true);
}

/**
 * The viewer's address, or undefined for a request that went around the edge and is not to be served.
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
 * Where people reach the service, without a slash at its end: the edge, or the name by which the gateway was called. The
 * gateway says that name and the scheme itself (API Gateway, "Create AWS Lambda proxy integrations for HTTP APIs").
 * Beside an edge that is open its name may not lead anywhere yet: a request that came through it shows that it does.
 */
export function serviceUrl(
  event: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  { publicUrl, edge }: Pick<ServiceConfig, 'publicUrl' | 'edge'>,
): string {
  if (publicUrl !== undefined && (edge?.isOpen !== true || isThroughEdge(event, edge))) return publicUrl;
  const { headers, requestContext } = event;
  return `${headers['x-forwarded-proto'] ?? 'https'}://${requestContext.domainName}`;
}
