/** Whose address a request comes from: the gateway's word, or behind an edge that of CloudFront. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { EDGE_HEADERS } from '../../shared/settings/edge.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * The viewer's address, or undefined for a request that went around the edge.
 * @param originSecret what CloudFront proves itself with; absent without an edge
 */
export function viewerAddress(
  { headers, requestContext }: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  originSecret: string | undefined,
): string | undefined {
  if (originSecret === undefined) return requestContext.http.sourceIp;
  const presented = headers[EDGE_HEADERS.originSecret] ?? '';
  if (!timingSafeEqual(digest(presented), digest(originSecret))) return undefined;
  return headers[EDGE_HEADERS.viewerAddress];
}
