import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { aSurvey } from '../support/fixtures/builders.ts';
import { linkedAnswer, NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { useServedService } from '../support/service/served-service.ts';
import { freshApp, typeErrors } from './support/fresh-app.ts';
import { OLDEST_NODE, versionOf } from './support/nodes.ts';

const app = freshApp({ packages: ['server'] });
const { service, gateway } = await useServedService();

async function runApp(node: string, name: string, source: string, ...args: readonly string[]) {
  writeFileSync(join(app, name), source);
  const child = spawn(node, [join(app, name), ...args]);
  const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaints).toBe('');
  return JSON.parse(said);
}

it('has a license, a README, both kinds of modules and their declarations, and no dependency', () => {
  const installed = join(app, 'node_modules/@canvass-surveys/server');
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  const dist = join(installed, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((file) => /\.(c|m)?[jt]s$/.test(file))) {
    const source = readFileSync(join(dist, name), 'utf8');
    const imported = [...source.matchAll(/(?:from |import\(|require\()\s*["']([^"']+)/g)].map(
      ([, from]) => from,
    );
    const own = (from = '') =>
      from.startsWith('.') && !relative(dist, join(dist, dirname(name), from)).startsWith('..');
    expect(
      imported.filter((from) => !own(from)),
      name,
    ).toEqual([]);
  }
});

describe('in an app', () => {
  const CALLS = `
    const client = createCanvassClient({ baseUrl: process.argv[2], secretKey: process.argv[3] });
    client.mintTokens({ respondentId: 'ann', sessionId: 's-1', surveySlug: 'helpful' })
      .then(async ({ bindings }) => {
        const body = JSON.stringify({ key: process.argv[4], rating: 1, ...bindings.helpful });
        const { status } = await fetch(process.argv[2] + '/v1/sdk/responses', { method: 'POST', body });
        const { scores } = await client.pendingScores();
        const refused = await client.results({ surveySlug: 'none' }).catch((error) => error);
        console.log(JSON.stringify({ status, scores, known: refused instanceof CanvassError, code: refused.code }));
      });`;

  it.each([
    ['app.mjs', `import { CanvassError, createCanvassClient } from '@canvass-surveys/server';${CALLS}`],
    ['app.cjs', `const { CanvassError, createCanvassClient } = require('@canvass-surveys/server');${CALLS}`],
  ])(
    `mints, reads the answer as a score and reports refusals: %s, Node ${versionOf(OLDEST_NODE)}`,
    async (name, source) => {
      const survey = aSurvey({}, { slug: 'helpful', type: 'thumbs' });
      const { secretKey, publishableKey } = await service.tenant({ limits: NO_LIMITS }, [survey]);
      const args = [gateway.url, secretKey, publishableKey];
      expect(await runApp(OLDEST_NODE, name, source, ...args)).toMatchObject({
        status: 201,
        scores: [{ rating: 1, sessionId: 's-1', respondentId: 'ann' }],
        known: true,
        code: 'survey_not_found',
      });
    },
  );

  const PUSH = `
    const { url, secretKey } = JSON.parse(process.argv[2]);
    const client = createCanvassClient({ baseUrl: url, secretKey });
    const taken = async () => ({ kind: 'delivered' });
    const destination = { name: 'mine', deletes: true, deliver: taken, withdraw: taken };
    pushScores({ client, destination, cursor: 'of another deployment' })
      .then((report) => console.log(JSON.stringify(report)));`;

  it.each([
    [
      'push.mjs',
      `import { createCanvassClient } from '@canvass-surveys/server';
       import { pushScores } from '@canvass-surveys/server/scores';${PUSH}`,
    ],
    [
      'push.cjs',
      `const { createCanvassClient } = require('@canvass-surveys/server');
       const { pushScores } = require('@canvass-surveys/server/scores');${PUSH}`,
    ],
  ])('restarts when the service refuses a cursor: %s', async (name, source) => {
    const tenant = await service.tenant({ limits: NO_LIMITS });
    await linkedAnswer(service, tenant);
    const setting = JSON.stringify({ url: gateway.url, secretKey: tenant.secretKey });
    const report = await runApp(process.execPath, name, source, setting);
    expect(report).toMatchObject({ polled: 1, delivered: 1 });
  });

  const TYPED = `
    import { type CanvassClient, CanvassError, type CanvassErrorCode, createCanvassClient } from '@canvass-surveys/server';
    import { createWebhookDestination } from '@canvass-surveys/server/scores';
    declare const process: { argv: string[] };
    const client: CanvassClient = createCanvassClient({ baseUrl: '', secretKey: '' });
    export async function use(): Promise<string> {
      const { tokens, bindings } = await client.mintTokens({ respondentId: 'a', sessionId: 's', surveySlug: 'x' });
      const results = await client.results({ surveySlug: 'x', by: 'week' });
      const value: number | undefined = results.score?.value;
      // @ts-expect-error a survey is named by its slug or its id
      await client.results({ by: 'week' });
      // @ts-expect-error there is no such field
      await client.mintTokens({ respondentId: 'a', session: 's' });
      const maybe: string | undefined = process.argv[2];
      // @ts-expect-error an erasure has one mode
      await client.erase({ respondentId: maybe, surveySlug: 'x' });
      // @ts-expect-error an erasure has one mode
      await client.erase({ respondentId: 'u', surveySlug: 'x' });
      await client.erase({ account: true });
      const signal: AbortSignal | undefined = maybe === 'x' ? AbortSignal.timeout(1) : undefined;
      await client.mintTokens({ respondentId: 'a', sessionId: 's', traceId: maybe }, { signal });
      await client.comments({ surveySlug: 'x', from: maybe }, { deadlineMs: undefined });
      const expected: CanvassErrorCode[] = ['rate_limited', 'survey_not_found', 'timeout'];
      // @ts-expect-error there is no such code
      expected.push('rate_limit');
      return [tokens['sv'], bindings['x']?.showToken, value, CanvassError.name, expected, createWebhookDestination.name].join();
    }`;

  it.each([
    ['bundler', 'typed.ts', { module: 'preserve', moduleResolution: 'bundler', lib: ['es2022', 'dom'] }],
    [
      'exact optional properties',
      'exact.mts',
      { module: 'node16', exactOptionalPropertyTypes: true, lib: ['es2022', 'dom'] },
    ],
    ['node16, ES modules', 'typed.mts', { module: 'node16', lib: ['es2022', 'dom'] }],
    ['node16, CommonJS', 'typed.cts', { module: 'node16', lib: ['es2022', 'dom'] }],
  ])('is typed: %s', (_, name, options) => {
    expect(typeErrors(app, { [name]: TYPED }, options)).toBe('');
  });
});
