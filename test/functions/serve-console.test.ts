import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { expect, it } from 'vitest';
import { serveConsole } from '../../functions/serve-console.ts';
import { serveConsoleFile } from '../../functions/serve-console-file.ts';
import { consoleFiles, consoleNames } from '../../pages/console/console-files.ts';
import { providerAt } from '../support/fixtures/signed-in.ts';
import { callEvent, createTestService } from '../support/service/test-service.ts';
import { bundleFunction } from '../support/stack/bundle-function.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const service = await createTestService();
const open = (project: string, more = {}, of = service) =>
  of.call(serveConsole, { path: `/console/${project}`, ...more });

const policyOf = async (project: string, of = service): Promise<string> =>
  (await open(project, {}, of)).headers['content-security-policy'] ?? '';

it('200 with the same page for every project and none, whatever the query', async () => {
  const { project } = await service.tenant({ displayName: 'Secret shop' });
  const page = await open(project.id, { query: 'code=abc&state=def' });
  expect(page.status).toBe(200);
  expect(page.headers).toMatchObject({ 'content-type': 'text/html', 'cache-control': 'no-cache' });
  expect(page.text).not.toMatch(/Secret|abc|def/);
  for (const other of ['none', 'svc%2F..%2Fx', 'x'.repeat(4_000)])
    expect((await open(other)).text).toBe(page.text);
});

it("200 with a policy that allows only the service and the provider's token endpoint", async () => {
  const consoleProvider = providerAt('https://keys.example/jwks', 'https://issuer.example/tenant');
  const { project } = await service.tenant({ consoleProvider });
  const none = await policyOf('none');
  expect(none).not.toMatch(/unsafe|https?:|\*/);
  expect(none).toContain("connect-src 'self'; ");
  for (const directive of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(none).toContain(directive);
  expect(await policyOf(project.id)).toBe(
    none.replace("connect-src 'self'", "connect-src 'self' https://issuer.example"),
  );
});

it('429 beyond the rate of its address', async () => {
  const limited = await createTestService({ table: service.table, config: { defaultAddressRate: 1 } });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await open('none', {}, limited)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

it('reveals nothing of the project to a request that bypassed the edge', async () => {
  const { project } = await service.tenant({ consoleProvider: providerAt('https://keys.example') });
  const config = { edge: { originSecrets: ['secret'], isOpen: false } };
  const behind = await createTestService({ table: service.table, config });
  expect(await policyOf(project.id, behind)).toBe(await policyOf('none'));
});

it('the deployed console names and serves the files of a local run, and has none of them in the page', async () => {
  const folder = temporaryFolder();
  const load = async (name: string) => {
    const outfile = join(folder, `${name}.cjs`);
    const { inputs } = await bundleFunction(name, outfile);
    expect(inputs.filter((path) => /esbuild|preact/.test(path))).toEqual([]);
    return createRequire(import.meta.url)(outfile);
  };
  const { handler } = await load('serve-console-file');
  const { script } = await consoleNames();
  const event = callEvent(serveConsoleFile, { path: `/console/assets/${script}` });
  const reply = await handler(event, {} as Context);
  const { br = '' } = (await consoleFiles()).get(script) ?? {};
  expect(gunzipSync(Buffer.from(reply.body, 'base64'))).toEqual(
    brotliDecompressSync(Buffer.from(br, 'base64')),
  );
  expect((await bundleFunction('serve-console')).text.includes(br)).toBe(false);
});
