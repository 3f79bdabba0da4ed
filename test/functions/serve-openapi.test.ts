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

  it('is far below the maximum size of a reply', async () => {
    expect(Buffer.byteLength((await service.call(serveOpenapi)).text)).toBeLessThan(1_000_000);
  });
});
