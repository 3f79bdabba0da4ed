import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { PATIENCE_MS } from '../sdk/browser/support/patience.ts';
import { useChromium } from '../sdk/browser/support/use-chromium.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { serveService } from '../support/service/served-service.ts';
import { createTestService, type Tenant, type TestService } from '../support/service/test-service.ts';
import { freshApp } from './support/fresh-app.ts';

const REASONS = [
  { code: 'wrong', label: 'It is wrong' },
  { code: 'slow', label: 'It took too long' },
];
const EXAMPLE = fileURLToPath(new URL('../../examples/next-agent', import.meta.url));
const app = freshApp({
  packages: ['browser', 'react', 'server'],
  others: [
    ...[
      '@ai-sdk/react',
      '@types/node',
      '@types/react',
      '@types/react-dom',
      'ai',
      'next',
      'react',
      'react-dom',
    ],
    'typescript',
  ],
});
const next = join(app, 'node_modules/next/dist/bin/next');

let service: TestService;
let tenant: Tenant;
let url: string;
const browser = useChromium();
const stops: (() => unknown)[] = [];

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('Next has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('Next ended before it served');
}

beforeAll(async () => {
  service = await createTestService();
  const gateway = await serveService(service);
  stops.unshift(() => gateway.stop());
  const survey = aSurvey(
    { repeat: 'observation' },
    { slug: 'reply', type: 'thumbs', presentation: 'inline', reasons: REASONS },
  );
  tenant = await service.tenant({ limits: NO_LIMITS }, [survey]);
  cpSync(EXAMPLE, app, { recursive: true });
  // The app's other packages are links into this project.
  writeFileSync(join(app, 'next.config.mjs'), "export default { turbopack: { root: '/' } };\n");
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_PUBLIC_CANVASS_URL: gateway.url,
    NEXT_PUBLIC_CANVASS_KEY: tenant.publishableKey,
  };
  await promisify(execFile)(process.execPath, [next, 'build'], { cwd: app, env }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`next build: ${stdout}${stderr}`);
    },
  );
  const agent = spawn(process.execPath, [next, 'start', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: app,
    env: { ...env, CANVASS_SECRET_KEY: tenant.secretKey },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  stops.unshift(() => agent.kill());
  url = await addressOf(agent);
}, 400_000);

afterAll(async () => {
  for (const stop of stops) await stop();
});

it("has at most 60 lines, without the model's stub", () => {
  const files = globSync(['app/**/*.{ts,tsx}', '*.{ts,mjs}'], { cwd: EXAMPLE }).filter(
    (file) => !file.endsWith('model.ts'),
  );
  const lines = files.flatMap((file) => readFileSync(join(EXAMPLE, file), 'utf8').trimEnd().split('\n'));
  expect(lines.length).toBeLessThanOrEqual(60);
});

it('draws thumbs under each reply, stores a score of its session and message, and restores it after a reload', async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
  await page.goto(url);
  const replies = page.locator('article', { has: page.getByRole('button') });
  const scores = async () => {
    const { body } = await service.call(listPendingScores, { secretKey: tenant.secretKey });
    return body.scores.sort((a: { rating: number }, b: { rating: number }) => b.rating - a.rating);
  };
  const thumb = (reply: number, name: string) =>
    replies.nth(reply).getByRole('button', { name, exact: true });

  for (const [index, text] of ['How much water?', 'And light?'].entries()) {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
    await thumb(index, 'Helpful').waitFor();
  }
  await thumb(0, 'Helpful').click();
  await expect.poll(scores).toMatchObject([{ rating: 1 }]);
  await thumb(1, 'Not helpful').click();
  await expect.poll(scores).toMatchObject([{ rating: 1 }, { rating: 0 }]);
  const why = (name: string) => replies.nth(1).getByRole('checkbox', { name });
  await why('It took too long').check();
  await expect.poll(async () => (await scores())[1].reasons).toEqual(['slow']);
  const [up, down] = await scores();
  for (const score of [up, down])
    expect(score).toMatchObject({ sessionId: 'session-1', respondentId: 'ann', surveySlug: 'reply' });
  expect(new Set([up.observationId, down.observationId, up.traceId, down.traceId]).size).toBe(4);
  const kept: { role: string; id: string }[] = JSON.parse(await (await fetch(`${url}/api/chat`)).text());
  expect(kept.map(({ role, id }) => (role === 'assistant' ? id : role))).toEqual([
    'user',
    up.observationId,
    'user',
    down.observationId,
  ]);

  await page.reload();
  await expect.poll(() => thumb(0, 'Helpful').getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => thumb(1, 'Not helpful').getAttribute('aria-pressed')).toBe('true');
  expect((await scores())[1]).toMatchObject({ rating: 0, reasons: ['slow'] });
  expect(faults).toEqual([]);
});
