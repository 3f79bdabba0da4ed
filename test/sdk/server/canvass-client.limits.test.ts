import { describe, expect, it } from 'vitest';
import { CanvassError } from '../../../sdk/server/canvass-error.ts';
import { START } from '../../support/service/test-clock.ts';
import { limitedClient, scriptedClient } from '../../support/stand-ins/scripted-server-client.ts';

const INPUT = { respondentId: 'ann', sessionId: 's-1' };
const MINTED = { tokens: {}, bindings: {}, suppression: [], issuedAt: '2026-11-20T09:30:00.000Z' };
const down = () => Response.json({}, { status: 503 });

const LONG_CALLS = [
  ['exportResponses', { respondentId: 'u' }],
  ['erase', { respondentId: 'u' }],
] as const;

describe.each(LONG_CALLS)('%s', (name, query) => {
  it('has 90 s by default', async () => {
    const { client, clock } = scriptedClient(down);
    await expect(client[name](query)).rejects.toBeInstanceOf(CanvassError);
    expect(clock.now() - START).toBeGreaterThan(60_000);
  });

  it("uses the client's limits", async () => {
    const { client, clock } = limitedClient({ deadlineMs: 1_000 }, down);
    await expect(client[name](query)).rejects.toBeInstanceOf(CanvassError);
    expect(clock.now() - START).toBeLessThan(1_000);
  });

  it("prefers the call's limits over the client's", async () => {
    const { client, clock } = limitedClient({ deadlineMs: 1_000 }, down);
    await expect(client[name](query, { deadlineMs: 10_000 })).rejects.toBeInstanceOf(CanvassError);
    expect(clock.now() - START).toBeGreaterThan(2_000);
  });

  it('uses the defaults for undefined', async () => {
    const { client, clock } = scriptedClient(down);
    await expect(client[name](query, { deadlineMs: undefined })).rejects.toBeInstanceOf(CanvassError);
    expect(clock.now() - START).toBeGreaterThan(60_000);
  });

  it("gives up a hanging reply after the attempt's time, of the client or the call", async () => {
    const hang = (request: Request) =>
      new Promise<Response>((_resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
    const own = limitedClient({ deadlineMs: 100, attemptTimeoutMs: 1 }, hang);
    await expect(own.client[name](query)).rejects.toMatchObject({ code: 'timeout' });
    const { client } = scriptedClient(hang);
    const limits = { deadlineMs: 100, attemptTimeoutMs: 1 };
    await expect(client[name](query, limits)).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('a limit', () => {
  it('is the default if it or the options are null', async () => {
    const none = null as unknown as undefined;
    const { client, clock } = limitedClient({ deadlineMs: none as unknown as number }, down);
    await expect(client.pendingScores(none, none)).rejects.toMatchObject({ status: 503 });
    await expect(client.mintTokens(INPUT, { deadlineMs: none })).rejects.toMatchObject({ status: 503 });
    expect(clock.now() - START).toBeGreaterThan(40_000);
  });

  it.each([Number.NaN, 0, -1, Number.NEGATIVE_INFINITY, '5000'])('of %s is refused', async (limit) => {
    const wrong = limit as number;
    expect(() => limitedClient({ deadlineMs: wrong })).toThrow(/^deadlineMs .*above 0/);
    expect(() => limitedClient({ attemptTimeoutMs: wrong })).toThrow(/^attemptTimeoutMs .*above 0/);
    const { client, requests } = scriptedClient(down);
    const call = client.mintTokens(INPUT, { deadlineMs: wrong });
    await expect(call).rejects.toThrow(/^deadlineMs .*above 0/);
    await expect(call).rejects.toBeInstanceOf(TypeError);
    expect(requests).toEqual([]);
  });

  it.each([Number.POSITIVE_INFINITY, 3e9])(
    'of %s lasts as long as a timer allows, instead of ending at once',
    async (limit) => {
      const slow = (request: Request) =>
        new Promise<Response>((resolve, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason));
          // Resolves later than an overflowing timer, which fires after a millisecond.
          setTimeout(resolve, 5, Response.json(MINTED));
        });
      const { client, requests } = limitedClient({ deadlineMs: limit, attemptTimeoutMs: limit }, slow);
      expect(await client.mintTokens(INPUT)).toEqual(MINTED);
      expect(requests).toHaveLength(1);
    },
  );
});
