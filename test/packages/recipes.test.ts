import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Agent, type Model, setTraceProcessors, setTracingDisabled, Usage } from '@openai/agents';
import { build, type Plugin } from 'esbuild';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { model as newest } from '../../examples/next-agent/app/api/chat/model.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { useChromium } from '../sdk/browser/support/use-chromium.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { serveInTest } from '../support/serve.ts';
import { useServedService } from '../support/service/served-service.ts';
import type { Tenant } from '../support/service/test-service.ts';
import { freshApp, typeErrors, unpack } from './support/fresh-app.ts';
import { freshPython, HAS_PYTHON, runPython } from './support/python-venv.ts';

const DOCUMENT = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

const recipes = new Map(
  [...DOCUMENT.matchAll(/^```(?:ts|python)\n(?:\/\/|#) ([\w-]+\.(?:ts|py))\n(.*?)^```/gms)].map(
    ([, name = '', text = '']) => [name, text] as const,
  ),
);
const ofLanguage = (ending: string) => [...recipes].filter(([name]) => name.endsWith(ending));
const app = freshApp({
  packages: ['browser', 'server'],
  others: [
    '@assistant-ui/react',
    '@openai/agents',
    '@types/node',
    '@types/react',
    'ai',
    'react',
    'react-dom',
  ],
});
const browser = useChromium();

/** With other chat kits and older versions, from a lock file of their own. */
const kits = freshApp({ packages: [] });
beforeAll(() => {
  cpSync(join(import.meta.dirname, 'support/chat-kits'), kits, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefer-offline', ...quiet], { cwd: kits });
  for (const name of ['browser', 'server']) unpack(kits, name);
});

const OF_KITS = 'copilotkit.ts';
const OLDER = ['ai-5', 'ai-6'];
const CHECKED = { types: ['node'], skipLibCheck: true };

it('passes the type checker', () => {
  const files = ofLanguage('.ts').filter(([name]) => name !== OF_KITS);
  expect(typeErrors(app, Object.fromEntries(files), CHECKED)).toBe('');
});

it.each(OLDER)('passes the type checker with CopilotKit and %s', (older) => {
  const files = ofLanguage('.ts').filter(([name]) => name === OF_KITS || name === 'ai-sdk.ts');
  const paths = { ai: [`./node_modules/${older}`] };
  expect(typeErrors(kits, Object.fromEntries(files), { ...CHECKED, paths })).toBe('');
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const says = (text: string): Model => ({
  getResponse: async () => ({
    usage: new Usage(),
    output: [
      { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
    ],
  }),
  getStreamedResponse() {
    throw new Error('the recipe does not stream');
  },
});

const CHAT_PAGE = `
import { ActionBarPrimitive as Bar, AssistantRuntimeProvider, ComposerPrimitive as Composer, MessagePrimitive as Message,
  ThreadPrimitive as Thread, useLocalRuntime } from '@assistant-ui/react';
import { createRoot } from 'react-dom/client';
import { canvassFeedback } from './assistant-ui.ts';

const adapters = { feedback: canvassFeedback(SETTINGS) };
const model = {
  run: async () => ({ content: [{ type: 'text', text: 'Moist soil.' }], metadata: { custom: { binding: BINDING } } }),
};
const Answer = () => (
  <Message.Root>
    <Message.Parts />
    <Bar.Root>
      <Bar.FeedbackPositive>Good answer</Bar.FeedbackPositive>
      <Bar.FeedbackNegative>Bad answer</Bar.FeedbackNegative>
    </Bar.Root>
  </Message.Root>
);
const Question = () => <Message.Root><Message.Parts /></Message.Root>;
const Chat = () => (
  <AssistantRuntimeProvider runtime={useLocalRuntime(model, { adapters })}>
    <Thread.Root>
      <Thread.Messages components={{ UserMessage: Question, AssistantMessage: Answer }} />
      <Composer.Root><Composer.Input /><Composer.Send>Send</Composer.Send></Composer.Root>
    </Thread.Root>
  </AssistantRuntimeProvider>
);
createRoot(document.getElementById('app')).render(<Chat />);
`;

const COPILOT_PAGE = `
import { AbstractAgent } from '@ag-ui/client';
import { CopilotKit } from '@copilotkit/react-core';
import { CopilotChat } from '@copilotkit/react-ui';
import { createRoot } from 'react-dom/client';
import { from } from 'rxjs';
import { canvassThumbs } from './copilotkit.ts';

const thumbs = canvassThumbs(SETTINGS, (id) => fetch('/binding/' + id).then((reply) => reply.json()));
class Agent extends AbstractAgent {
  run({ threadId, runId }) {
    const messageId = 'm-1';
    return from([
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: 'Moist soil.' },
      { type: 'TEXT_MESSAGE_END', messageId },
      { type: 'RUN_FINISHED', threadId, runId },
    ]);
  }
}
createRoot(document.getElementById('app')).render(
  <CopilotKit selfManagedAgents={{ default: new Agent() }}><CopilotChat {...thumbs} /></CopilotKit>,
);
`;

const recipesIn = (folder: string): Plugin => ({
  name: 'recipes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ path }) => ({ path: path.slice(2), namespace: 'recipe' }));
    onLoad({ filter: /.*/, namespace: 'recipe' }, ({ path }) => ({
      contents: recipes.get(path) ?? '',
      loader: 'ts',
      resolveDir: folder,
    }));
  },
});

interface Score {
  readonly rating: number;
  readonly sessionId: string;
}

const { service, gateway } = await useServedService();

describe('running', () => {
  let tenant: Tenant;
  const scores = async () =>
    (await service.call(listPendingScores, { secretKey: tenant.secretKey })).body.scores;
  const environment: Record<string, string> = {
    SLACK_SECRET: 'slack-signs-with-it',
    CANVASS_URL: gateway.url,
  };

  const aTenant = async (survey: object) => {
    tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({ repeat: 'session' }, survey)]);
    Object.assign(environment, { CANVASS_SECRET_KEY: tenant.secretKey });
  };
  const thumbs = { slug: 'reply', type: 'thumbs' };

  async function exportsOf<Exports>(name: string, { folder = app, alias = {} } = {}): Promise<Exports> {
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    const outfile = join(folder, 'out', `${name}.${tenant.project.id}.mjs`);
    await build({
      stdin: { contents: recipes.get(name) ?? '', resolveDir: folder, loader: 'ts' },
      alias,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outfile,
    });
    return import(pathToFileURL(outfile).href);
  }

  it.each([
    ['v4', {}],
    ...OLDER.map((older, at) => [`v${at + 2}`, { folder: kits, alias: { ai: older } }] as const),
  ] as const)(
    'streams an AI SDK answer of a model of %s with its binding, and stores a score of session, trace and message',
    async (version, place) => {
      await aTenant(thumbs);
      const model = Object.create(newest, { specificationVersion: { value: version } });
      const { answer } = await exportsOf<{ answer: (...args: unknown[]) => Promise<ReadableStream> }>(
        'ai-sdk.ts',
        place,
      );
      const question = { id: 'm-1', role: 'user', parts: [{ type: 'text', text: 'Water?' }] };
      const chunks = [];
      for await (const chunk of await answer(model, 'ann', 'session-1', [question])) chunks.push(chunk);
      const { messageId, messageMetadata } = chunks.find(({ type }) => type === 'start');
      expect(chunks).toContainEqual(
        expect.objectContaining({ delta: expect.stringContaining('moist soil') }),
      );
      expect(messageMetadata.binding).toMatchObject({
        slug: 'reply',
        sessionId: 'session-1',
        observationId: messageId,
      });
      const { taskType: _, ...binding } = messageMetadata.binding;
      await service.call(submitResponse, { body: { key: tenant.publishableKey, rating: 1, ...binding } });
      const score = { rating: 1, sessionId: 'session-1', traceId: binding.traceId, observationId: messageId };
      expect(await scores()).toMatchObject([score]);
    },
  );

  it('binds an OpenAI Agents answer to the trace that the SDK reports', async () => {
    await aTenant(thumbs);
    const reported: string[] = [];
    setTracingDisabled(false);
    setTraceProcessors([
      {
        onTraceStart: async ({ traceId }) => void reported.push(traceId),
        onTraceEnd: async () => {},
        onSpanStart: async () => {},
        onSpanEnd: async () => {},
        shutdown: async () => {},
        forceFlush: async () => {},
      },
    ]);
    const { turn } = await exportsOf<{ turn: (...args: unknown[]) => Promise<unknown> }>('openai-agents.ts');
    const agent = new Agent({ name: 'ferns', model: says('Moist soil.') });
    expect(await turn(agent, 'ann', 'session-1', 'Water?')).toEqual({
      text: 'Moist soil.',
      binding: expect.objectContaining({ sessionId: 'session-1', traceId: reported[0], taskType: 'ferns' }),
    });
  });

  it.each([
    ['assistant-ui', app, CHAT_PAGE, 'Bad answer', 'Good answer', false],
    ['CopilotKit', kits, COPILOT_PAGE, 'Thumbs down', 'Thumbs up', true],
  ])(
    'rates with the own thumbs of %s, and changes the rating with another click',
    async (_, folder, contents, bad, good, withdraws) => {
      await aTenant({ ...thumbs, trigger: 'manual' });
      const turn = { respondentId: 'ann', surveySlug: 'reply', sessionId: 'session-1', observationId: 'm-1' };
      const minted = await service.call(mintTokens, { secretKey: tenant.secretKey, body: turn });
      const settings = { key: tenant.publishableKey, baseUrl: environment.CANVASS_URL, userId: 'ann' };
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: folder, loader: 'tsx' },
        plugins: [recipesIn(folder)],
        bundle: true,
        write: false,
        outdir: '/',
        loader: { '.woff2': 'empty', '.woff': 'empty', '.ttf': 'empty' },
        format: 'esm',
        jsx: 'automatic',
        define: {
          BINDING: JSON.stringify(minted.body.bindings.reply),
          SETTINGS: JSON.stringify(settings),
          'process.env.NODE_ENV': '"production"',
        },
      });
      const script = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
      const url = await serveInTest((request, response) => {
        const isPage = request.url === '/';
        response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
        if (request.url === '/binding/m-1') response.end(JSON.stringify(minted.body.bindings.reply));
        else
          response.end(
            isPage ? '<main id="app"></main><script type="module" src="/chat.js"></script>' : script,
          );
      });
      const page = await browser.newPage();
      await page.goto(url);
      await page.getByRole('textbox').fill('Water?');
      await page.getByRole('button', { name: 'Send' }).click();
      for (const [name, rating] of [
        [bad, 0],
        [good, 1],
      ] as const) {
        await page.getByRole('button', { name }).click();
        await expect
          .poll(() => scores())
          .toMatchObject([{ rating, sessionId: 'session-1', observationId: 'm-1' }]);
      }
      if (!withdraws) return;
      await page.getByRole('button', { name: good }).click();
      await expect.poll(() => scores()).toEqual([]);
    },
  );

  describe('Slack', () => {
    type Block = { elements: readonly [{ value: string }, { value: string }] };
    type Click = (request: Request, after: (work: Promise<unknown>) => void) => Promise<Response>;
    const nothing = () => expect.fail('nothing is to be stored');
    const form = (value: string) =>
      new URLSearchParams({
        payload: JSON.stringify({ type: 'block_actions', user: { id: 'U1' }, actions: [{ value }] }),
      }).toString();
    const click = (value: string, { at = Date.now() / 1_000, secret = 'slack-signs-with-it' } = {}) => {
      const [time, body] = [Math.round(at).toString(), form(value)];
      const signature = `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`;
      const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': signature };
      return new Request('https://agent.test/slack', { method: 'POST', headers, body });
    };
    let good: string;
    let bad: string;
    let onClick: Click;
    beforeAll(async () => {
      await aTenant(thumbs);
      const { thumbs: block } = await exportsOf<{ thumbs: (binding: unknown) => Block }>('slack-thumbs.ts');
      ({ onClick } = await exportsOf<{ onClick: Click }>('slack-click.ts'));
      const body = { respondentId: 'ann', surveySlug: 'reply', sessionId: 'session-1' };
      const minted = await service.call(mintTokens, { secretKey: tenant.secretKey, body });
      [good, bad] = block(minted.body.bindings.reply).elements.map(({ value }) => value) as [string, string];
    });

    it('fits into the 2,000 characters of a button', () => {
      expect(Math.max(good.length, bad.length)).toBeLessThanOrEqual(2_000);
    });

    it.each([
      ['signed by somebody else', { secret: 'another' }],
      ['of a quarter of an hour ago', { at: Date.now() / 1_000 - 900 }],
      ['of a clock that is ahead', { at: Date.now() / 1_000 + 900 }],
    ])('ignores a request %s', async (_what, forged) => {
      expect((await onClick(click(good, forged), nothing)).status).toBe(401);
      const unsigned = new Request('https://agent.test/slack', { method: 'POST', body: form(good) });
      expect((await onClick(unsigned, nothing)).status).toBe(401);
      expect(await scores()).toEqual([]);
    });

    it('answers a click, stores a score of the session, and changes it with each further click', async () => {
      const seen = [];
      for (const value of [bad, bad, good, bad]) {
        const after = Promise.withResolvers<unknown>();
        expect((await onClick(click(value), after.resolve)).status).toBe(200);
        await after.promise;
        service.clock.advance(1_000);
        seen.push(...(await scores()).map(({ rating, sessionId }: Score) => [rating, sessionId]));
      }
      expect(seen).toEqual([0, 0, 1, 0].map((rating) => [rating, 'session-1']));
    });
  });

  it('opens the link page from each number of an e-mail, with that number chosen', async () => {
    await aTenant({ slug: 'refund', type: 'csat' });
    const { scaleInMail } = await exportsOf<{ scaleInMail: (...args: string[]) => Promise<string> }>(
      'mail.ts',
    );
    const mail = await scaleInMail('ann', 'session-1', 'de');
    const links = [...mail.matchAll(/href="([^"]+)">(\d)</g)].map(([, href = '', rating]) => ({
      url: new URL(href.replaceAll('&amp;', '&')),
      rating,
    }));
    expect(links.map(({ rating }) => rating)).toEqual(['1', '2', '3', '4', '5']);
    for (const { url, rating } of links) {
      const page = await fetch(`${environment.CANVASS_URL}${url.pathname}${url.search}`);
      const html = await page.text();
      expect([page.status, html.match(/<html lang="(\w+)"/)?.[1]]).toEqual([200, 'de']);
      expect(html).toMatch(new RegExp(`<input(?=[^>]*value="${rating}")(?=[^>]*checked)[^>]*>`));
    }
  });

  const STAND_INS = `
import types, sys, uuid
trace = types.ModuleType("opentelemetry.trace")
class Span:
    def __enter__(self): return self
    def __exit__(self, *_): return None
    def get_span_context(self): return types.SimpleNamespace(trace_id=0x4bf92f3577b34da6a3ce929d0e0e4736)
trace.get_tracer = lambda _: types.SimpleNamespace(start_as_current_span=lambda _: Span())
trace.format_trace_id = lambda number: format(number, "032x")
package = types.ModuleType("opentelemetry")
package.trace = trace
sys.modules.update({"opentelemetry": package, "opentelemetry.trace": trace})
class Graph:
    def invoke(self, state, config):
        assert config["configurable"] == {"thread_id": "session-1"} and isinstance(config["run_id"], uuid.UUID)
        said = state["messages"][-1][1]
        return {"messages": [*state["messages"], types.SimpleNamespace(id="m-2", content=f"You said: {said}")]}
agent = lambda text: f"You said: {text}"
`;

  describe.runIf(HAS_PYTHON)('in Python', () => {
    const python = freshPython();

    it.each([
      [
        'LangGraph',
        'langgraph_turn.py',
        'Graph()',
        { traceId: expect.stringMatching(UUID), observationId: 'm-2' },
      ],
      ['Strands', 'strands_turn.py', 'agent', { traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }],
    ])(
      'returns the answer with a binding, or without one if the service refuses: %s',
      async (_name, file, agent, attested) => {
        await aTenant(thumbs);
        for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
        const turn = `${STAND_INS}${recipes.get(file)}
import json
print(json.dumps(turn(${agent}, "ann", "session-1", "Hello")))`;
        const [text, binding] = JSON.parse(await runPython(python(), ['-c', turn]));
        expect([text, binding]).toEqual([
          'You said: Hello',
          expect.objectContaining({ sessionId: 'session-1', ...attested }),
        ]);
        vi.stubEnv('CANVASS_SECRET_KEY', `${tenant.secretKey.slice(0, -1)}~`);
        expect(JSON.parse(await runPython(python(), ['-c', turn]))).toEqual(['You said: Hello', null]);
      },
    );
  });
});
