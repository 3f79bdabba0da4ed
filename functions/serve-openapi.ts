import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { openapiYaml } from '../shared/contract/openapi/openapi.ts';
import * as routes from '../shared/contract/routes/document-routes.ts';
import { openEndpoint, openOnLambda } from './runtime/open-endpoint.ts';
import { acceptsGzip } from './runtime/request-input.ts';

function prepare() {
  const plain = openapiYaml();
  return {
    plain,
    packed: gzipSync(plain).toString('base64'),
    headers: {
      'content-type': 'application/yaml',
      'cache-control': 'public, max-age=300',
      etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
      vary: 'accept-encoding',
    },
  };
}

let document: ReturnType<typeof prepare> | undefined;

/** The document has 350 KB, so it is compressed once for each instance. */
export const serveOpenapi = openEndpoint(routes.serveOpenapi, async ({ headers: asked }) => {
  document ??= prepare();
  const { plain, packed, headers } = document;
  if (asked['if-none-match']?.includes(headers.etag)) return { status: 304, raw: '', headers };
  if (!acceptsGzip(asked['accept-encoding'])) return { raw: plain, headers };
  return { raw: packed, isBase64Encoded: true, headers: { ...headers, 'content-encoding': 'gzip' } };
});

export const handler = openOnLambda(serveOpenapi);
