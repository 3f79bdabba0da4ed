import { describe, expect, it } from 'vitest';
import { createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import { createTestClock, createVirtualTimers } from '../../support/service/test-clock.ts';
import { type Scripted, scriptedFetch } from '../../support/stand-ins/scripted-fetch.ts';

const OLD = 'svc_sk_p1_old';
const NEW = 'svc_sk_p1_new';
const fine = () => Response.json({ surveys: [] });
const refused = () =>
  Response.json({ error: { code: 'invalid_key', message: 'No.', requestId: 'r' } }, { status: 401 });

function reading(keys: readonly unknown[], ...script: readonly Scripted[]) {
  const clock = createTestClock();
  const scripted = scriptedFetch(clock, ...script);
  let reads = 0;
  const client = createCanvassClient({
    baseUrl: 'https://canvass.test',
    secretKey: async () => {
      const key = keys[Math.min(reads++, keys.length - 1)];
      if (key instanceof Error) throw key;
      return key as string;
    },
    ...scripted,
    timers: createVirtualTimers(clock, () => 0.5),
  });
  const sent = () => scripted.requests.map(({ headers }) => headers.get('authorization')?.slice(7));
  return { client, sent, reads: () => reads };
}

describe('a key that a function reads', () => {
  it('is read with the first call, and once for concurrent and later calls', async () => {
    const { client, sent, reads } = reading([OLD], fine());
    expect(reads()).toBe(0);
    await Promise.all([client.surveys(), client.surveys()]);
    await client.surveys();
    expect([reads(), sent()]).toEqual([1, [OLD, OLD, OLD]]);
  });

  it('is read again if the service refuses it, and the call continues with the new one', async () => {
    const { client, sent, reads } = reading([OLD, NEW], refused(), fine());
    expect(await client.surveys()).toEqual({ surveys: [] });
    await client.surveys();
    expect([reads(), sent()]).toEqual([2, [OLD, NEW, NEW]]);
  });

  it('is refused for good if it is unchanged, or the new one is refused, too', async () => {
    const same = reading([OLD], refused());
    await expect(same.client.surveys()).rejects.toMatchObject({ code: 'invalid_key' });
    expect([same.reads(), same.sent()]).toEqual([2, [OLD]]);
    const other = reading([OLD, NEW], refused());
    await expect(other.client.surveys()).rejects.toMatchObject({ code: 'invalid_key' });
    expect(other.sent()).toEqual([OLD, NEW]);
  });

  it('rejects the call if it cannot be read, and is read again by the next', async () => {
    const { client } = reading([new Error('no secret'), 'svc_pk_p1_x', OLD], fine());
    await expect(client.surveys()).rejects.toThrow('no secret');
    await expect(client.surveys()).rejects.toThrow('not a publishable key');
    expect(await client.surveys()).toEqual({ surveys: [] });
  });

  it('ends with the deadline and the signal if it never arrives', async () => {
    const client = createCanvassClient({
      baseUrl: 'https://canvass.test',
      secretKey: () => new Promise<string>(() => undefined),
    });
    await expect(client.surveys({ deadlineMs: 20 })).rejects.toMatchObject({ code: 'timeout' });
    const ending = new AbortController();
    const call = client.surveys({ signal: ending.signal });
    ending.abort(new Error('left'));
    await expect(call).rejects.toThrow('left');
  });
});

it('does not retry with a fixed key', async () => {
  const scripted = scriptedFetch(createTestClock(), refused());
  const client = createCanvassClient({ baseUrl: 'https://canvass.test', secretKey: OLD, ...scripted });
  await expect(client.surveys()).rejects.toMatchObject({ code: 'invalid_key' });
  expect(scripted.requests).toHaveLength(1);
});
