import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { writePythonPackage } from '../../../bin/build/python-package.ts';
import type { Gateway } from '../../../local/gateway.ts';
import { createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import { pythonSources } from '../../../shared/contract/python-client.ts';
import { type Route, refusalsOf } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/contract/routes.ts';
import { aSurvey } from '../../support/builders.ts';
import { linkedAnswer, NO_LIMITS } from '../../support/linked-answer.ts';
import { serveService } from '../../support/served-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestService, type Tenant, type TestService } from '../../support/test-service.ts';

const PYTHON = spawnSync('python3', ['--version']).status === 0;
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What the clients are for: every route that a secret key opens. */
const OPEN = Object.entries<Route>(routes).filter(
  ([, { key, success }]) => key === 'secret' && success.schema !== undefined,
);

function packageFolder(): string {
  const folder = temporaryFolder();
  writePythonPackage(folder);
  return folder;
}

/** Its documented example, as the Python clients take it. */
function exampleOf({ examples }: Route): Readonly<Record<string, unknown>> {
  const fields = Object.entries(examples?.input ?? {}).filter(([name]) => name !== 'cursor');
  return Object.fromEntries(fields.map(([name, value]) => [name === 'from' ? 'from_' : snake(name), value]));
}

async function python(folder: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn('python3', args, { env: { ...process.env, PYTHONPATH: `${folder}/src` } });
  child.stdin.end(input);
  const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const status = child.exitCode ?? (await new Promise((resolve) => child.on('close', resolve)));
  expect({ status, complaints: status === 0 ? '' : complaints }).toEqual({ status: 0, complaints: '' });
  return `${said}${complaints}`;
}

it('has a call for every route that a secret key opens, and for no other', () => {
  const calls = pythonSources()['routes.py'].matchAll(/^ {4}def ([a-z]\w*)/gm);
  expect([...calls].map(([, name]) => name)).toEqual(OPEN.map(([name]) => snake(name)));
});

describe.runIf(PYTHON)('with a Python', () => {
  it("its own tests pass: replies, retries, pages, both clients' parity", async () => {
    const folder = packageFolder();
    const args = ['-m', 'unittest', 'discover', '-s', `${folder}/tests`];
    expect(await python(folder, args)).toMatch(/Ran \d\d tests[\s\S]*OK/);
  });

  describe('every route answers the Python clients as it answers the TypeScript client', () => {
    let service: TestService;
    let gateway: Gateway;
    beforeAll(async () => {
      service = await createTestService();
      gateway = await serveService(service);
    });
    afterAll(() => gateway.stop());

    /** A route without an entry here is called with its example. */
    interface Calls {
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly typescript: () => Promise<object>;
    }

    async function callsOf(tenant: Tenant): Promise<Readonly<Record<string, Calls>>> {
      const client = createCanvassClient({ baseUrl: gateway.url, secretKey: tenant.secretKey });
      const { id } = await linkedAnswer(service, tenant);
      for (const respondentId of ['carl', 'dora'])
        await linkedAnswer(service, tenant, { mint: { respondentId } });
      const span = { from: '2026-01-01', to: '2026-12-31' };
      return {
        mintTokens: {
          arguments: { respondent_id: 'bob', session_id: 's', survey_slug: 'nps' },
          typescript: () => client.mintTokens({ respondentId: 'bob', sessionId: 's', surveySlug: 'nps' }),
        },
        deferredAskLink: {
          arguments: { respondent_id: 'bob', survey_slug: 'nps', expires_in: '2d' },
          typescript: () =>
            client.deferredAskLink({ respondentId: 'bob', surveySlug: 'nps', expiresIn: '2d' }),
        },
        listPendingScores: {
          arguments: { limit: 5, include_withdrawn: true },
          typescript: () => client.pendingScores({ limit: 5, includeWithdrawn: true }),
        },
        ackScores: {
          arguments: { results: [{ id, state: 'trying', revision: 0 }] },
          typescript: () => client.ackScores([{ id, state: 'failed', revision: 0, error: 'down' }]),
        },
        exportResponses: {
          arguments: { survey_slug: 'nps', limit: 10 },
          typescript: () => client.exportResponses({ surveySlug: 'nps', limit: 10 }),
        },
        erase: {
          arguments: { respondent_id: 'carl' },
          typescript: () => client.erase({ respondentId: 'dora' }),
        },
        getResults: {
          arguments: { survey_slug: 'nps', from_: span.from, to: span.to, by: 'month' },
          typescript: () => client.results({ surveySlug: 'nps', ...span, by: 'month' }),
        },
        listComments: {
          arguments: { survey_slug: 'nps', with_text: false },
          typescript: () => client.comments({ surveySlug: 'nps', withText: false }),
        },
        listSurveys: { arguments: {}, typescript: () => client.surveys() },
      };
    }

    it.each(['sync', 'async'])('the %s client', async (kind) => {
      const folder = packageFolder();
      const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({}, { slug: 'nps' })]);
      const calls = await callsOf(tenant);
      const input = OPEN.map(([name, route]) => [snake(name), calls[name]?.arguments ?? exampleOf(route)]);
      const script = `${import.meta.dirname}/every_route.py`;
      const said = await python(folder, [script, kind, gateway.url, tenant.secretKey], JSON.stringify(input));
      const replies: unknown[] = JSON.parse(said);
      for (const [index, [name, route]] of OPEN.entries()) {
        const reply = replies[index] as object;
        const schema = route.success.schema ?? z.never();
        if (calls[name] === undefined && 'refused' in reply) {
          expect(refusalsOf(route), name).toContain(reply.refused);
          continue;
        }
        expect(z.safeParse(schema, reply).error, name).toBeUndefined();
        const same = await calls[name]?.typescript();
        if (same !== undefined) expect(Object.keys(reply).sort(), name).toEqual(Object.keys(same).sort());
      }
    });
  });
});
