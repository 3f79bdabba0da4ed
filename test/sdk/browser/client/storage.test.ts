import { describe, expect, it, vi } from 'vitest';
import { fakeService, fakeStorage, load, minutes, NAME, useFakePage } from '../support/fake-service.ts';

useFakePage();

describe('storage', () => {
  it.each([
    ['is blocked', () => vi.stubGlobal('localStorage', undefined)],
    ['is full', () => fakeStorage(10)],
    ['is spoilt', () => fakeStorage().set(NAME, '{"outbox"')],
  ])('falls back to memory when it %s', async (_, prepare) => {
    prepare();
    const sent = fakeService((_request, count) => (count === 1 ? 'lost' : { status: 201 }));
    const page = load();
    page.answer('token');
    await minutes(1);
    expect(sent).toHaveLength(2);
    expect(page.read().outbox).toEqual([]);
  });

  it.each([
    'null',
    '"text"',
    '{"outbox"',
    '{"outbox":null}',
    '{"outbox":{}}',
    '{"outbox":[null]}',
    '{"outbox":[{}]}',
    '{"seen":null}',
    '{"seen":[]}',
    '{"wait":"soon"}',
    '{"wait":9007199254740991}',
  ])('repairs stored %s and delivers across page loads', async (spoilt) => {
    const storage = fakeStorage().set(NAME, spoilt);
    const sent = fakeService((_, count) => (count === 1 ? 'lost' : { status: 201 }));
    const page = load();
    page.update({ device: 'device' });
    page.answer('token');
    await page.flush();
    page.leave();
    expect(JSON.parse(storage.get(NAME) ?? '')).toMatchObject({
      device: 'device',
      outbox: [{ token: 'token' }],
    });
    await minutes(1);
    await load().flush();
    expect(sent.map(({ body }) => body.showToken)).toEqual(['token', 'token']);
  });

  it('is not touched with `storage: false`', async () => {
    const kept = fakeStorage();
    fakeService(() => 'lost');
    const page = load(false);
    page.answer('token');
    await page.flush();
    expect(page.read().outbox).toHaveLength(1);
    expect(kept.size).toBe(0);
  });
});
