import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { consoleFiles } from '../pages/console/console-files.ts';
import { refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/console-routes.ts';
import { openEndpoint, openOnLambda } from './runtime/open-endpoint.ts';

const accepts = (said: string | undefined, encoding: string): boolean =>
  (said ?? '').split(',').some((each) => each.split(';', 1)[0]?.trim().toLowerCase() === encoding);

/** Browsers do not accept brotli over plain HTTP. */
const asGzip = (br: string): string =>
  gzipSync(brotliDecompressSync(Buffer.from(br, 'base64'))).toString('base64');

/** Names contain a content hash, so caches keep files forever. */
export const serveConsoleFile = openEndpoint(
  routes.serveConsoleFile,
  async ({ rawPath, headers: { 'accept-encoding': said } }) => {
    const name = rawPath.slice(rawPath.lastIndexOf('/') + 1);
    const file = (await consoleFiles()).get(name);
    if (file === undefined) return refuse('not_found');
    const takesBrotli = accepts(said, 'br');
    return {
      raw: takesBrotli ? file.br : asGzip(file.br),
      isBase64Encoded: true,
      headers: {
        ...file.headers,
        'content-encoding': takesBrotli ? 'br' : 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      },
    };
  },
);

export const handler = openOnLambda(serveConsoleFile);
