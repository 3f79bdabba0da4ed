import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { serveConsoleFile } from '../../functions/serve-console-file.ts';
import { consoleFiles, consoleNames } from '../../pages/console/console-files.ts';
import { callEvent } from '../support/service/test-service.ts';

const handler = serveConsoleFile.createOpen({ log: { info: () => undefined, error: () => undefined } });

async function ask(file: string, encodings?: string) {
  const headers: Record<string, string> = encodings === undefined ? {} : { 'accept-encoding': encodings };
  const event = callEvent(serveConsoleFile, { path: `/console/assets/${file}`, headers });
  const { statusCode, headers: replied, body = '', isBase64Encoded } = await handler(event, {} as Context);
  const bytes = Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
  return { status: statusCode, headers: replied ?? {}, bytes };
}

it('200 for every file, compressed as the browser accepts it and cached forever', async () => {
  const { script, style } = await consoleNames();
  const files = await consoleFiles();
  expect([...files.keys()]).toEqual(expect.arrayContaining([script, style]));
  for (const name of files.keys()) {
    const [gzip, brotli] = [
      await ask(name, 'gzip, deflate'),
      await ask(name, 'gzip, deflate, br;q=1.0, zstd'),
    ];
    expect([gzip.status, gzip.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/^text\/(javascript|css|html)$/),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(brotliDecompressSync(brotli.bytes)).toEqual(gunzipSync(gzip.bytes));
    expect(brotli.bytes.length).toBeLessThan(gzip.bytes.length);
    expect((await ask(name)).headers['content-encoding']).toBe('gzip');
  }
});

it('404 for a file of another release, without caching', async () => {
  for (const name of ['console-00000000.js', '', '__proto__', 'constructor']) {
    const { status, headers } = await ask(name);
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  }
});

it('keeps the page’s first load at most 120 KB after gzip', async () => {
  const { script, style, parts } = await consoleNames();
  const sizes = await Promise.all(
    [script, style, ...parts].map(async (name) => (await ask(name, 'gzip')).bytes.length),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(120_000);
});
