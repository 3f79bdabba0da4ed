import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ServiceConfig } from './service-config.ts';

/**
 * Where people reach the service, without a slash at its end: the edge, or the name by which the gateway was called. The
 * gateway says that name and the scheme itself (API Gateway, "Create AWS Lambda proxy integrations for HTTP APIs").
 */
export function serviceUrl(
  { headers, requestContext }: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  { publicUrl }: Pick<ServiceConfig, 'publicUrl'>,
): string {
  return publicUrl ?? `${headers['x-forwarded-proto'] ?? 'https'}://${requestContext.domainName}`;
}
