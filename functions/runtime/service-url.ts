import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isThroughEdge } from './input/viewer.ts';
import type { ServiceConfig } from './service-config.ts';

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
