import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { useServedService } from '../support/service/served-service.ts';
import { freshPython, HAS_PYTHON } from './support/python-venv.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/python-agent/agent.py', import.meta.url));

const { service, gateway } = await useServedService();

describe.runIf(HAS_PYTHON)('the running agent', () => {
  const python = freshPython();
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill();
  });

  async function start(secretKey: string): Promise<string> {
    const env = { ...process.env, CANVASS_URL: gateway.url, CANVASS_SECRET_KEY: secretKey, PORT: '0' };
    const child = spawn(python(), [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(child);
    const { value = '' } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    return value;
  }

  interface Reply {
    readonly id: string;
    readonly text: string;
    readonly binding: Readonly<Record<string, string>> | null;
  }

  const say = async (agent: string, text: string): Promise<Reply> => {
    const body = JSON.stringify({ user: 'ann', session: 's-1', text });
    return JSON.parse(await (await fetch(agent, { method: 'POST', body })).text());
  };

  it('returns replies that can be rated as scores of session, trace and message', async () => {
    const survey = aSurvey({ repeat: 'observation' }, { slug: 'reply', type: 'thumbs' });
    const tenant = await service.tenant({ limits: NO_LIMITS }, [survey]);
    const agent = await start(tenant.secretKey);
    const replies = [await say(agent, 'Hello'), await say(agent, 'Again')];
    expect(replies.map(({ text }) => text)).toEqual(['You said: Hello', 'You said: Again']);
    for (const [rating, { binding }] of replies.entries()) {
      service.clock.advance(1);
      const body = JSON.stringify({ key: tenant.publishableKey, rating, ...binding });
      expect((await fetch(`${gateway.url}/v1/sdk/responses`, { method: 'POST', body })).status).toBe(201);
    }
    const { body } = await service.call(listPendingScores, { secretKey: tenant.secretKey });
    expect(body.scores).toMatchObject(
      replies.map(({ id, binding }, rating) => ({
        rating,
        sessionId: 's-1',
        traceId: binding?.traceId,
        observationId: id,
        respondentId: 'ann',
        surveySlug: 'reply',
      })),
    );
  });

  it('replies without thumbs if the service refuses', async () => {
    const { secretKey } = await service.tenant();
    const agent = await start(`${secretKey.slice(0, -1)}~`);
    expect(await say(agent, 'Hello')).toMatchObject({ text: 'You said: Hello', binding: null });
  });
});
