import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { refuse } from '../shared/contract/errors.ts';
import { CORS } from '../shared/contract/route.ts';
import { unknownPathRoute } from '../shared/contract/routes/document-routes.ts';
import { openEndpoint, openOnLambda } from './runtime/open-endpoint.ts';

const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': CORS.allowOrigins.join(','),
  'access-control-allow-methods': CORS.allowMethods.join(','),
  'access-control-allow-headers': CORS.allowHeaders.join(','),
  'access-control-max-age': String(CORS.maxAgeSeconds),
} as const;

const isPreflight = ({ headers, requestContext }: APIGatewayProxyEventV2): boolean =>
  requestContext.http.method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/**
 * A default route may receive `OPTIONS` requests (API Gateway, "Configure CORS for HTTP APIs"). Browsers require a
 * success status for a preflight.
 */
export const unknownPath = openEndpoint(unknownPathRoute, async (event) =>
  isPreflight(event) ? { raw: '', headers: PREFLIGHT_HEADERS } : refuse('not_found'),
);

export const handler = openOnLambda(unknownPath);
