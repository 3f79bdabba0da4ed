/** Linters and generators of other makers. `support/openapi-tools` pins them in a lock file of their own. */

import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { aSurvey, CHOICES } from '../support/fixtures/builders.ts';
import { useServedService } from '../support/service/served-service.ts';
import { freshApp, typeErrors } from './support/fresh-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: generated modules and a YAML document, used by name.
type Named = Record<string, any>;

const { service, gateway } = await useServedService();
const app = freshApp({ packages: [] });

function run(command: string, ...args: string[]): string {
  // Without these, Redocly reports its use to its maker and looks for a newer version.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: app, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

const runTool = (tool: string, ...args: string[]): string => run(join('node_modules/.bin', tool), ...args);

const load = (path: string): Promise<Named> => import(join(app, path));

let document: Named;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, 'support/openapi-tools'), app, { recursive: true });
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline');
  const text = await (await fetch(`${gateway.url}/openapi.yaml`)).text();
  writeFileSync(join(app, 'openapi.yaml'), text);
  document = parse(text);
});

it.each([
  ['redocly', ['--extends=recommended'], 'Your API description is valid'],
  ['spectral', ['--ruleset=spectral.yaml', '--display-only-failures'], 'No results with a severity of'],
])('has no error according to the recommended rules of %s', (linter, options, verdict) => {
  writeFileSync(join(app, 'spectral.yaml'), 'extends: spectral:oas');
  expect(runTool(linter, 'lint', 'openapi.yaml', ...options)).toContain(verdict);
});

describe('clients that openapi-typescript, @hey-api/openapi-ts and orval generate', () => {
  let reply: Named;
  let body: Named;

  beforeAll(async () => {
    runTool('openapi-typescript', 'openapi.yaml', '--output', 'typescript.ts');
    const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'];
    runTool('openapi-ts', '--input', 'openapi.yaml', '--output', 'hey', '--plugins', ...plugins);
    const outputs = [
      { client: 'fetch', target: 'orval/fetch.ts', baseUrl: gateway.url },
      { client: 'zod', target: 'orval/zod.ts' },
    ].map((output) => [output.client, { input: 'openapi.yaml', output }]);
    const config = `export default ${JSON.stringify(Object.fromEntries(outputs))}`;
    writeFileSync(join(app, 'orval.config.mjs'), config);
    runTool('orval', '--config', 'orval.config.mjs');

    const everything = aSurvey(
      { repeat: { answeredMs: 86_400_000 } },
      {
        type: 'csat',
        followUpQuestion: 'Why?',
        questions: [{ id: 'more', kind: 'text', text: 'Anything else?' }],
        followUps: [{ ratings: [1, 2], question: 'What went wrong?' }],
        reasons: [{ code: 'slow', label: 'Slow' }],
        corner: 'top-left',
        delayMs: 100,
        pages: ['/checkout/**'],
        on: { event: 'paid', times: 2 },
        samplePercent: 100,
        priority: 1,
        targeting: [
          { trait: 'plan', op: 'in', value: ['pro', 3, true, null] },
          { trait: 'seats', op: 'gte', value: 3 },
        ],
        endLabels: { low: 'Bad', high: 'Good' },
        showBadge: true,
        thanks: [
          { ratings: [5], text: 'Thanks', link: { label: 'Blog', url: 'https://example.com' } },
          { text: 'Thanks' },
        ],
        choices: CHOICES,
        shuffle: true,
        words: {
          send: 'Go',
          close: 'No',
          contact: 'Call',
          contactAddress: 'E-mail',
          values: ['Bad', 'Good'],
        },
        locales: {
          de: {
            question: 'Wie?',
            followUps: [{ ratings: [1, 2], question: 'Was lief schief?' }],
            reasons: { slow: 'Langsam' },
            thanks: { text: 'Danke' },
          },
        },
      },
    );
    const { publishableKey } = await service.tenant({}, [everything, aSurvey()]);
    body = { key: publishableKey, userId: 'ann', types: 'pages,events,by-rating' };
    const init = { method: 'POST', body: JSON.stringify(body) };
    reply = (await (await fetch(`${gateway.url}/v1/sdk/bootstrap`, init)).json()) as Named;
    expect(Object.keys(reply.surveys[0]).sort()).toEqual(
      Object.keys(document.components.schemas.Survey.properties).sort(),
    );
  });

  it('compile with strict types that fit the reply of a bootstrap', () => {
    const text = JSON.stringify(reply);
    const files = {
      'use.ts': `
        import * as hey from './hey';
        import * as heySchemas from './hey/zod.gen';
        import * as orval from './orval/fetch';
        import * as orvalSchemas from './orval/zod';
        import type { paths } from './typescript';
        type Replies = paths['/v1/sdk/bootstrap']['post']['responses'];
        export const typescript: Replies[200]['content']['application/json'] = ${text};
        export const ofHey: hey.BootstrapReply = ${text};
        export const ofOrval: orval.BootstrapReply = ${text};
        export const schemas = { heySchemas, orvalSchemas };
      `,
    };
    expect(typeErrors(app, files)).toBe('');
  });

  it('receive the reply of a bootstrap and parse it with their schemas', async () => {
    const ofHey = await (await load('hey/sdk.gen.ts')).bootstrap({ baseUrl: gateway.url, body });
    const ofOrval = await (await load('orval/fetch.ts')).bootstrap(body);
    for (const { data } of [ofHey, ofOrval]) expect(data.surveys).toEqual(reply.surveys);
    expect((await load('hey/zod.gen.ts')).zBootstrapResponse.parse(ofHey.data)).toEqual(ofHey.data);
    expect((await load('orval/zod.ts')).BootstrapResponse.parse(ofOrval.data)).toEqual(ofOrval.data);
  });

  it('parse the examples of the document with their schemas', async () => {
    const [hey, orval] = [await load('hey/zod.gen.ts'), await load('orval/zod.ts')];
    const operations = Object.values<Named>(document.paths).flatMap((path) => Object.values<Named>(path));
    const parsed = operations.flatMap(({ operationId, requestBody, responses }) => {
      const name = operationId[0].toUpperCase() + operationId.slice(1);
      const success = Object.values<Named>(responses)[0];
      return [
        [`${name}Body`, requestBody?.content['application/json']?.example],
        [`${name}Response`, success?.content['application/json']?.example],
      ].filter(([, example]) => example !== undefined);
    });
    for (const [name, example] of parsed)
      for (const schema of [hey[`z${name}`], orval[name]])
        expect(schema.parse(example), name).toMatchObject(example);
    expect(parsed.length).toBeGreaterThan(20);
  });
});
