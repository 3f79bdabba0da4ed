import { describe, expect, it, onTestFinished } from 'vitest';
import { classifyReply } from '../../../../shared/delivery/destinations/destination.ts';
import { langfuseScore } from '../../../../shared/delivery/destinations/langfuse.ts';
import { postJson } from '../../../../shared/delivery/destinations/request.ts';
import { aScore } from '../../../support/fixtures/builders.ts';
import { createTestClock, START } from '../../../support/service/test-clock.ts';
import { type Fault, startLangfuseStandIn } from '../../../support/stand-ins/langfuse-stand-in.ts';
import { scriptedFetch } from '../../../support/stand-ins/scripted-fetch.ts';

const TABLE = {
  delivered: [200, 201, 202, 204],
  reject: [400, 413, 422],
  retry: [402, 406, 408, 409, 418, 425, 429, 500, 502, 503, 504, 529],
  halt: [301, 302, 303, 307, 308, 401, 403, 404, 405, 410],
} as const;

describe('the status of a reply', () => {
  it.each(Object.entries(TABLE))('%s', (kind, statuses) => {
    for (const status of statuses) expect(classifyReply({ status, text: 'why' }).kind).toBe(kind);
  });

  it('pauses all requests after a 429, by default for five seconds, and after others only if they ask', () => {
    expect(classifyReply({ status: 429, text: '' })).toMatchObject({ holdMs: 5_000 });
    expect(classifyReply({ status: 429, text: '', retryAfterMs: 0 })).toMatchObject({ holdMs: 0 });
    expect(classifyReply({ status: 503, text: '', retryAfterMs: 9_000 })).toMatchObject({ holdMs: 9_000 });
    expect(classifyReply({ status: 503, text: '' })).not.toHaveProperty('holdMs');
  });
});

describe('a post', () => {
  const post = (reply: Response | (() => Response), more: { refusesPages?: boolean } = {}) => {
    const { fetch, requests } = scriptedFetch(createTestClock(), reply);
    const call = { url: 'https://x.test/', headers: {}, body: '{}', fetch, now: START, timeoutMs: 1_000 };
    return { outcome: postJson({ ...call, ...more }), requests };
  };

  it('follows no redirect, hidden or not', async () => {
    const { outcome, requests } = post(Response.redirect('https://elsewhere.test/', 302));
    expect(await outcome).toEqual({ kind: 'halt', reason: 'HTTP 302' });
    expect(requests[0]?.redirect).toBe('manual');
    expect(await post(() => Response.error()).outcome).toEqual({ kind: 'halt', reason: 'HTTP redirect' });
  });

  it('treats a web page from a JSON API as a failure, but accepts any reply from a webhook', async () => {
    const page = () =>
      new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    const halt = { kind: 'halt', reason: 'HTTP 200 with a web page' };
    expect(await post(page, { refusesPages: true }).outcome).toEqual(halt);
    expect(await post(page).outcome).toEqual({ kind: 'delivered' });
  });

  it.each<[Fault, string]>([
    ['reset', 'no reply: '],
    ['lost', 'no reply: '],
    ['hang', 'no reply in time'],
  ])('is retried without a reply: %s', async (fault, reason) => {
    const langfuse = await startLangfuseStandIn({ faultOf: () => fault });
    onTestFinished(() => langfuse.stop());
    const body = JSON.stringify(langfuseScore(aScore(), {}));
    const authorization = `Basic ${btoa('pk-lf-test:sk-lf-test')}`;
    const call = { url: `${langfuse.url}/api/public/scores`, headers: { authorization }, body, now: START };
    const outcome = await postJson({ ...call, fetch, timeoutMs: fault === 'hang' ? 20 : 2_000 });
    expect(outcome).toEqual({ kind: 'retry', reason: expect.stringContaining(reason) });
  });

  it('reads only what it quotes, and tolerates a broken connection', async () => {
    const endless = () =>
      new Response(
        new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1_000).fill(120)) }),
        {
          status: 400,
        },
      );
    expect(await post(endless).outcome).toEqual({ kind: 'reject', reason: `HTTP 400: ${'x'.repeat(400)}` });
    const broken = () => new Response(new ReadableStream({ start: (stream) => stream.error(new Error()) }));
    expect(await post(broken).outcome).toEqual({ kind: 'delivered' });
  });
});
