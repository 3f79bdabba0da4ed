/** Facts of the HTTP surface that every gateway shares (docs/contract.md §3.1 and §3.2). */

/** Bytes of a request body: as many as a browser's beacon carries. */
export const BODY_LIMIT_BYTES = 64 * 1_024;

/** API-wide CORS: `content-type` alone, so that no browser can send a secret key. */
export const CORS = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['content-type'],
  exposeHeaders: ['retry-after', 'x-request-id'],
  maxAgeSeconds: 7_200,
} as const;
