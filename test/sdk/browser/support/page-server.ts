import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { filesOf, type SdkBuild } from '../../../../bin/build/build-sdk.ts';
import { HOST_SCRIPT, HOST_STYLE, HOSTILE_STYLE, type HostPage, htmlOf, policyOf } from './host-page.ts';

export interface PageServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves customer pages, which are described in their URLs, and the SDK's files. */
export async function startPageServer(sdk: SdkBuild): Promise<PageServer> {
  const scripts = new Map([
    ['/host.js', HOST_SCRIPT],
    ...filesOf(sdk).flatMap(({ stableName, hashedName, text }): [string, string][] => [
      [`/sdk/${stableName}`, text],
      [`/sdk/${hashedName}`, text],
    ]),
  ]);
  const styles = new Map([
    ['/host.css', HOST_STYLE],
    ['/hostile.css', HOSTILE_STYLE],
  ]);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page');
    const described = searchParams.get('page');
    const script = scripts.get(pathname);
    const style = styles.get(pathname);
    if (described !== null) {
      const page = JSON.parse(described) as HostPage;
      response.setHeader('content-security-policy', policyOf(page));
      response.setHeader('content-type', 'text/html; charset=utf-8').end(htmlOf(page));
    } else if (script !== undefined)
      response
        .setHeader('content-type', 'text/javascript; charset=utf-8')
        // Allows frames with an opaque origin.
        .setHeader('access-control-allow-origin', '*')
        .end(script);
    else if (style !== undefined) response.setHeader('content-type', 'text/css').end(style);
    else response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
