/** Skipped without Python. */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exportResponses } from '../../functions/export-responses.ts';
import project from '../../package.json' with { type: 'json' };
import { pythonSources } from '../../shared/contract/clients/python-client.ts';
import type { Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { runInProcess } from '../support/admin-cli.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { createRandom } from '../support/random.ts';
import { serveInTest } from '../support/serve.ts';
import { serveService } from '../support/service/served-service.ts';
import { createTestService } from '../support/service/test-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { freshPython, HAS_PYTHON, runPython } from './support/python-venv.ts';

const SOURCE = fileURLToPath(new URL('../../sdk/python/', import.meta.url));

it('has exactly one call for each route of a secret key', () => {
  const calls = [...pythonSources()['routes.py'].matchAll(/^ {4}def ([a-z]\w*)/gm)].map(([, name]) => name);
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const opened = Object.entries<Route>(routes).filter(([, { key }]) => key === 'secret');
  expect(calls).toEqual(opened.map(([name]) => snake(name)));
});

describe.runIf(HAS_PYTHON)('installed', () => {
  const python = freshPython();

  it('passes its own tests: replies, retries, pages, parity of both clients', async () => {
    const tests = join(temporaryFolder(), 'tests');
    cpSync(join(SOURCE, 'tests'), tests, { recursive: true });
    const said = await runPython(python(), ['-m', 'unittest', 'discover', '-s', tests]);
    expect(said).toMatch(/Ran \d+ tests[\s\S]*OK/);
  });

  it.each(['CanvassClient', 'AsyncCanvassClient'])(
    'rates exactly once on a network that loses requests and replies: %s',
    async (client) => {
      const service = await createTestService();
      const { url, stop } = await serveService(service);
      onTestFinished(() => stop(0));
      const tenant = await service.tenant({ limits: NO_LIMITS });
      const random = createRandom(7);
      const faulty = await serveInTest(async (request, response) => {
        const { method = 'GET', headers } = request;
        if (random() < 0.3) return void request.socket.resetAndDestroy();
        const body = method === 'GET' ? {} : { body: await text(request) };
        const { authorization = '', 'content-type': type = '' } = headers;
        const sent = { method, headers: { authorization, 'content-type': type }, ...body };
        const reply = await fetch(`${url}${request.url}`, sent);
        if (random() < 0.4) return void request.socket.resetAndDestroy();
        const date = new Date(service.clock.now()).toUTCString();
        response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '', date });
        response.end(await reply.text());
      });
      const program = `
import asyncio, inspect, json, random, sys
import canvass_surveys
random.random = lambda: 0.0  # No pause between attempts.
sure, unlucky = (canvass_surveys.${client}(url, sys.argv[3], deadline=60) for url in sys.argv[1:3])
async def done(call): return await call if inspect.isawaitable(call) else call
async def main():
    last = {}
    for rating in range(11):
        minted = await done(sure.mint_tokens(respondent_id=f"p-{rating}", session_id=f"s-{rating}"))
        [binding] = minted["bindings"].values()
        stored = await done(unlucky.rate(binding, rating=rating))
        await done(unlucky.revise(binding, revision=1, rating=10 - rating))
        last[stored["id"]] = 10 - rating
    print(json.dumps(last))
asyncio.run(main())`;
      const said = await runPython(python(), ['-c', program, url, faulty, tenant.secretKey]);
      const { body } = await service.call(exportResponses, { secretKey: tenant.secretKey });
      const rows: { id: string; rating: number; revision: number }[] = body.responses;
      expect(rows.map(({ revision }) => revision)).toEqual(Array(11).fill(1));
      expect(Object.fromEntries(rows.map(({ id, rating }) => [id, rating]))).toEqual(JSON.parse(said));
    },
  );

  it('runs what `canvass init` writes for a server in Python', async () => {
    const folder = temporaryFolder();
    expect((await runInProcess(['init', folder, '--yes', '--framework', 'python'])).status).toBe(0);
    const service = await createTestService();
    const { url, stop } = await serveService(service);
    onTestFinished(() => stop(0));
    const tenant = await service.tenant({ limits: NO_LIMITS }, [
      aSurvey({}, { slug: 'thumbs', type: 'thumbs' }),
    ]);
    const program = `
import os, sys
sys.path.append(sys.argv[1])
os.environ.update(CANVASS_URL=sys.argv[2], CANVASS_SECRET_KEY=sys.argv[3])
from canvass_survey import binding_for
print(binding_for("ann", "s-1")["slug"])`;
    expect(await runPython(python(), ['-c', program, folder, url, tenant.secretKey])).toBe('thumbs\n');
  });

  it('contains its types, license and README, and depends on nothing', async () => {
    const program = `
import json
from importlib.metadata import distribution
made = distribution("canvass-surveys")
files = sorted(str(file) for file in made.files if file.suffix in ("", ".typed"))
print(json.dumps([made.version, made.requires, made.metadata["License"], made.metadata["Requires-Python"], files]))
print(made.metadata.get_payload()[:17] if made.metadata.get_payload() else made.metadata["Description"][:17])`;
    const [facts = '', readme] = (await runPython(python(), ['-c', program])).trim().split('\n');
    const [version, requires, licence, requiresPython, files] = JSON.parse(facts);
    expect([version, requires, licence, requiresPython]).toEqual([project.version, null, 'MIT', '>=3.10']);
    expect(files).toEqual(expect.arrayContaining(['canvass_surveys/py.typed']));
    expect(files.some((file: string) => /dist-info\/(licenses\/)?LICENSE$/.test(file))).toBe(true);
    expect(readme).toBe('# canvass-surveys');
  });
});
