import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { serveOpenapi } from '../../functions/serve-openapi.ts';
import { openapiDocument } from '../../shared/contract/openapi/openapi.ts';
import { createTestService } from '../support/service/test-service.ts';

const service = await createTestService();

describe('200', () => {
  it('returns the document to anyone, and allows caching', async () => {
    const reply = await service.call(serveOpenapi);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/yaml',
      'cache-control': 'public, max-age=300',
    });
    expect(parse(reply.text)).toEqual(JSON.parse(JSON.stringify(openapiDocument())));
  });

  it('ignores everything else that is sent', async () => {
    const reply = await service.call(serveOpenapi, {
      query: 'key=%zz&x',
      rawBody: 'not json',
      secretKey: 'wrong',
    });
    expect(reply.status).toBe(200);
  });

  it('is compressed for clients that accept it, and not sent again to those that have it', async () => {
    const plain = await service.call(serveOpenapi);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const packed = await service.call(serveOpenapi, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(packed).toMatchObject({
      headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' },
      text: plain.text,
    });
    const { etag = '' } = plain.headers;
    const known = await service.call(serveOpenapi, { headers: { 'if-none-match': etag } });
    expect(known).toMatchObject({ status: 304, text: '', headers: { etag } });
  });

  it('is far below the maximum size of a reply', async () => {
    expect(Buffer.byteLength((await service.call(serveOpenapi)).text)).toBeLessThan(1_000_000);
  });
});
