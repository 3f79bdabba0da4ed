import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { readServiceConfig } from '../../../functions/runtime/service-config.ts';
import { createTestService } from '../../support/service/test-service.ts';

const SECRET = 'the-secret-of-the-edge';

const service = await createTestService({ config: { edge: { originSecrets: [SECRET], isOpen: false } } });

describe('behind an edge', () => {
  const ask = (key: string, headers: Record<string, string>) =>
    service.call(bootstrap, { body: { key }, headers });

  it('refuses requests that bypassed it, whatever they claim', async () => {
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

  it('applies the rate of an address to the viewer, not to CloudFront', async () => {
    const tenant = await service.tenant({ rates: { publishable: 1_000, secret: 100, address: 1 } });
    const from = async (address: string) =>
      (await ask(tenant.publishableKey, { 'x-origin-secret': SECRET, 'x-viewer-address': address })).status;
    expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([
      200, 200, 429,
    ]);
    expect(await from('192.0.2.2')).toBe(200);
  });

  it('accepts the old and the new secret during a rotation', async () => {
    const rotating = await createTestService({
      table: service.table,
      config: { edge: { originSecrets: ['the-new-one', SECRET], isOpen: false } },
    });
    const { publishableKey: key } = await service.tenant();
    const statusWith = async (secret: string) => {
      const headers = { 'x-viewer-address': '192.0.2.1', 'x-origin-secret': secret };
      return (await rotating.call(bootstrap, { body: { key }, headers })).status;
    };
    expect(await statusWith('the-new-one')).toBe(200);
    expect(await statusWith(SECRET)).toBe(200);
    expect(await statusWith('another')).toBe(401);
  });

  it('serves requests around an open edge under their own address, whatever they claim', async () => {
    const open = await createTestService({
      table: service.table,
      config: { edge: { originSecrets: [SECRET], isOpen: true } },
    });
    const { publishableKey: key } = await service.tenant({
      rates: { publishable: 1_000, secret: 100, address: 1 },
    });
    const statusWith = async (headers: Record<string, string>) =>
      (await open.call(bootstrap, { body: { key }, headers })).status;
    const statuses: number[] = [];
    for (const claimed of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      statuses.push(await statusWith({ 'x-viewer-address': claimed, 'x-origin-secret': 'wrong' }));
    expect(statuses).toEqual([200, 200, 429]);
    expect(await statusWith({ 'x-viewer-address': '192.0.2.4', 'x-origin-secret': SECRET })).toBe(200);
  });

  it('reads its secrets from the environment, the previous one and openness only if set', () => {
    const environment = {
      TABLE_NAME: 't',
      STAGE: 's',
      KEY_ABBREVIATION: 'k',
      INDEX_SHARDS: '1',
      DEFAULT_ADDRESS_RATE: '0',
      METRICS_NAMESPACE: 'n',
      HASH_SECRET_ID: 'h',
      TOKEN_RING_ID: 'r',
    };
    const edgeOf = (more: Record<string, string>) => readServiceConfig({ ...environment, ...more }).edge;
    expect(edgeOf({})).toBeUndefined();
    expect(edgeOf({ ORIGIN_SECRET: 'new' })).toEqual({ originSecrets: ['new'], isOpen: false });
    expect(edgeOf({ ORIGIN_SECRET: 'new', PREVIOUS_ORIGIN_SECRET: 'old', ORIGIN_OPEN: 'true' })).toEqual({
      originSecrets: ['new', 'old'],
      isOpen: true,
    });
    expect(() => edgeOf({ ORIGIN_SECRET: '' })).toThrow('an origin secret is empty');
    expect(() => edgeOf({ ORIGIN_SECRET: 'new', PREVIOUS_ORIGIN_SECRET: '' })).toThrow('is empty');
  });

  it('ignores such headers without an edge', async () => {
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
