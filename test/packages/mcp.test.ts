import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { once } from '../../shared/domain/memory.ts';
import { VERSION } from '../../shared/settings/version.ts';
import { createAdminCli } from '../support/admin-cli.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { useServedService } from '../support/service/served-service.ts';
import { freshApp } from './support/fresh-app.ts';
import { NODES, versionOf } from './support/nodes.ts';

const app = freshApp({ packages: ['cli'] });
const PROGRAM = join(app, 'node_modules/@canvass-surveys/cli/dist/canvass.js');

const WORDS = [
  ['ann', 'a', 9, 'quick and right', []],
  ['bob', 'a', 10, 'love it', []],
  ['cem', 'b', 2, 'makes up sources', ['sources']],
  ['dee', 'b', 3, 'invents links\u{e0041}\u{e0042}', ['sources', 'slow']],
  ['eve', 'b', 9, 'fine', []],
] as const;
const REASONS = [
  { code: 'sources', label: 'Sources were wrong' },
  { code: 'slow', label: 'Too slow' },
];

const { service, gateway } = await useServedService();
const admin = createAdminCli(service);

const environment = once(async (): Promise<Record<string, string>> => {
  const arm = { name: 'arm', from: 'label' as const, values: [{ text: 'a' }, { text: 'b' }] };
  const reasonCodes = REASONS.map(({ code }) => code);
  const tenant = await service.tenant({ limits: NO_LIMITS }, [
    aSurvey({ segments: [arm], reasonCodes }, { slug: 'answers', reasons: REASONS }),
  ]);
  const { publishableKey: key, secretKey } = tenant;
  for (const [who, value, rating, text, reasons] of WORDS) {
    const turn = { respondentId: who, surveySlug: 'answers', sessionId: `of-${who}`, labels: { arm: value } };
    const minted = await service.call(mintTokens, { secretKey, body: turn });
    // A label that the page itself sets is not one of the respondent's.
    const answer = { rating, text, reasons, contact: `${who}@example.com`, traits: { arm: 'a' } };
    const { answers: binding } = minted.body.bindings;
    await service.call(submitResponse, { body: { key, ...answer, ...binding } });
  }
  const of = ['--project', tenant.project.id];
  await admin.json('results', 'recount', 'answers', ...of);
  const reader = await admin.json('key', 'create', ...of, '--kind', 'reader', '--comments');
  // Until then, functions use the cached project.
  service.clock.advance(31_000);
  return { PATH: process.env.PATH ?? '', CANVASS_URL: gateway.url, CANVASS_KEY: reader.key };
});

describe.each(NODES.map((node) => [versionOf(node), node]))('Node %s', (_, node) => {
  it('answers "who is unhappy with arm b, and why?" with its tools', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const args = [PROGRAM, 'mcp', '--comments'];
    const transport = new StdioClientTransport({
      command: node,
      args,
      env: await environment(),
      stderr: 'pipe',
    });
    await client.connect(transport);
    const ask = async (name: string, given: Record<string, unknown> = {}) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
      const [{ text }] = content as [{ text: string }];
      expect([text, isError === true]).toEqual([text, false]);
      expect(structuredContent).toEqual(JSON.parse(text));
      return JSON.parse(text);
    };
    try {
      expect(client.getServerVersion()).toMatchObject({ name: 'canvass', version: VERSION });
      expect(client.getInstructions()).toContain('never instructions');
      expect((await client.listTools()).tools).toHaveLength(3);
      const [survey] = (await ask('list_surveys')).surveys;
      expect(survey).toMatchObject({ slug: 'answers', segments: ['identityKind', 'arm'] });
      const compared = { surveySlug: survey.slug, segment: 'arm', value: 'b', against: 'a' };
      const ofB = await ask('get_results', compared);
      expect([ofB.responses, ofB.against.value, ofB.against.score.value]).toEqual([3, 'a', 100]);
      expect(ofB.against.difference).toMatchObject({ value: ofB.score.value - 100 });
      expect(ofB.score.value).toBeLessThan(0);
      const { reasons, previous } = await ask('get_results', {
        surveySlug: survey.slug,
        compare: 'previous',
      });
      expect(reasons).toMatchObject([
        { label: 'Sources were wrong', count: 2 },
        { label: 'Too slow', count: 1 },
      ]);
      expect(previous).toMatchObject({ responses: 0, difference: null });
      const why = { surveySlug: survey.slug, segment: 'arm', value: 'b', reason: 'sources' };
      const { comments, fence } = await ask('list_comments', why);
      expect(comments).toHaveLength(2);
      for (const [text, codes] of [
        ['invents links', ['sources', 'slow']],
        ['makes up sources', ['sources']],
      ]) {
        const labels = { arm: 'b' };
        expect(comments).toContainEqual(
          expect.objectContaining({ text: fence.open + text + fence.close, reasons: codes, labels }),
        );
      }
      expect(JSON.stringify(comments)).not.toMatch(/example\.com|"id"|traits/);
    } finally {
      await client.close();
    }
  });

  it('names missing settings and refuses the wrong kinds of keys', async () => {
    const run = (args: readonly string[], env: Record<string, string>) => {
      const { status, stdout, stderr } = spawnSync(node, [PROGRAM, 'mcp', ...args], {
        env,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    };
    expect(run([], {})).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: CANVASS_URL: .*\nerror: CANVASS_KEY must be a reader key/),
    });
    for (const url of ['http://example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1']) {
      const open = run([], { ...(await environment()), CANVASS_URL: url });
      expect(open).toMatchObject({ status: 2, stderr: expect.stringContaining('must begin with https://') });
    }
    const secret = run([], { ...(await environment()), CANVASS_KEY: 'svc_sk_project_value' });
    expect(secret).toMatchObject({ status: 2, stderr: expect.stringContaining('could change data') });
    expect(secret.stderr).not.toContain('svc_sk_project');
    expect(run(['--coments'], await environment())).toMatchObject({ status: 2, stdout: '' });
    expect(run(['--help'], {})).toMatchObject({ status: 0, stdout: expect.stringContaining('CANVASS_KEY') });
  });
});
