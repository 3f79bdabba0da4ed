import { beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { createTestService, type TestService } from '../support/test-service.ts';

const SECRET = 'the-secret-of-the-edge';

describe('behind an edge', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await createTestService({ override: { originSecret: SECRET } });
  });

  const ask = (key: string, headers: Record<string, string>) =>
    service.call(bootstrap, { body: { key }, headers });

  it('requests that went around it open nothing, whatever they claim', async () => {
    const { publishableKey: key } = await service.tenant();
    for (const secret of [undefined, '', 'wrong', `${SECRET}x`]) {
      const headers = {
        'x-viewer-address': '192.0.2.1',
        ...(secret !== undefined && { 'x-origin-secret': secret }),
      };
      expect((await ask(key, headers)).status).toBe(401);
    }
    expect((await ask(key, { 'x-origin-secret': SECRET, 'x-viewer-address': '192.0.2.1' })).status).toBe(200);
  });

  it('the rate of an address is that of the viewer, not of CloudFront', async () => {
    const tenant = await service.tenant({ rates: { publishable: 1_000, secret: 100, address: 1 } });
    const from = async (address: string) =>
      (await ask(tenant.publishableKey, { 'x-origin-secret': SECRET, 'x-viewer-address': address })).status;
    expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([
      200, 200, 429,
    ]);
    expect(await from('192.0.2.2')).toBe(200);
  });

  it('without an edge such headers mean nothing', async () => {
    const plain = await createTestService({ table: service.table });
    const { publishableKey: key } = await service.tenant({
      rates: { publishable: 9, secret: 9, address: 1 },
    });
    const statuses: number[] = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      const headers = { 'x-viewer-address': address, 'x-origin-secret': SECRET };
      statuses.push((await plain.call(bootstrap, { body: { key }, headers })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});
