/** Whose address a request comes from: the gateway's word, or behind an edge that of CloudFront. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { EDGE_HEADERS } from '../../../shared/settings/edge.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** How a function behind an edge knows CloudFront. */
export interface EdgeTrust {
  /** Each proves it: while the secret is rotated there are two. */
  readonly originSecrets: readonly string[];
  /** Whether requests that went around the edge are served as well. */
  readonly isOpen: boolean;
}

/** Whether CloudFront brought the request. */
export function isThroughEdge(
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
