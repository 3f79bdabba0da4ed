import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type CanvassClient, createCanvassClient } from '../../sdk/server/canvass-client.ts';
import { CanvassError } from '../../sdk/server/canvass-error.ts';
import { pythonSources } from '../../shared/contract/clients/python-client.ts';
import type { Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { linkedAnswer, NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { useServedService } from '../support/service/served-service.ts';
import type { Tenant } from '../support/service/test-service.ts';
import { freshPython, HAS_PYTHON, runPython } from './support/python-venv.ts';

const { service, gateway } = await useServedService();

const OPENED = Object.entries<Route>(routes).filter(([, { key }]) => key === 'secret');
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface Call {
  readonly python: Readonly<Record<string, unknown>>;
  readonly typescript: (client: CanvassClient) => Promise<object>;
}

function exampleCall(name: string, { typescriptName = name, examples }: Route): Call {
  const input = Object.entries(examples?.input ?? {});
  const given = input.length === 0 ? [] : [Object.fromEntries(input)];
  return {
    python: Object.fromEntries(input.map(([field, value]) => [snake(field), value])),
    async typescript(client) {
      const methods = client as unknown as Record<string, (...given: object[]) => Promise<object>>;
      return (await methods[typescriptName]?.(...given)) ?? {};
    },
  };
}

function callsOf(id: string): Readonly<Record<string, Call>> {
  const examples = OPENED.map(([name, route]) => [name, exampleCall(name, route)] as const);
  return { ...Object.fromEntries(examples), ...sceneCalls(id) };
}

function sceneCalls(id: string): Readonly<Record<string, Call>> {
  const span = { from: '2026-01-01', to: '2026-12-31' };
  return {
    mintTokens: {
      python: { respondent_id: 'bob', session_id: 's', survey_slug: 'nps' },
      typescript: (client) => client.mintTokens({ respondentId: 'bob', sessionId: 's', surveySlug: 'nps' }),
    },
    deferredAskLink: {
      python: { respondent_id: 'bob', survey_slug: 'nps', expires_in: '2d' },
      typescript: (client) =>
        client.deferredAskLink({ respondentId: 'bob', surveySlug: 'nps', expiresIn: '2d' }),
    },
    listPendingScores: {
      python: { limit: 5, include_withdrawn: true },
      typescript: (client) => client.pendingScores({ limit: 5, includeWithdrawn: true }),
    },
    ackScores: {
      python: { results: [{ id, state: 'trying', revision: 0 }] },
      typescript: (client) => client.ackScores([{ id, state: 'failed', revision: 0, error: 'down' }]),
    },
    exportResponses: {
      python: { survey_slug: 'nps', limit: 10 },
      typescript: (client) => client.exportResponses({ surveySlug: 'nps', limit: 10 }),
    },
    erase: {
      python: { respondent_id: 'carl' },
      typescript: (client) => client.erase({ respondentId: 'dora' }),
    },
    getResults: {
      python: { survey_slug: 'nps', from_: span.from, to: span.to, by: 'month' },
      typescript: (client) => client.results({ surveySlug: 'nps', ...span, by: 'month' }),
    },
    listContacts: {
      python: { state: 'all', limit: 5 },
      typescript: (client) => client.contacts({ state: 'all', limit: 5 }),
    },
    handleContact: {
      python: { id, handled: true, note: 'called' },
      typescript: (client) => client.handleContact({ id, handled: true, note: 'called' }),
    },
    putDefinitions: {
      python: { revision: 1, surveys: [{ slug: 'new', type: 'nps', question: 'Q?' }], dry_run: true },
      typescript: (client) =>
        client.putSurveyDefinitions({
          revision: 1,
          surveys: [{ slug: 'new', type: 'nps', question: 'Q?' }],
          dryRun: true,
        }),
    },
    createPreview: {
      python: { survey: { slug: 'new', type: 'nps', question: 'Q?' } },
      typescript: (client) => client.previewSurvey({ survey: { slug: 'new', type: 'nps', question: 'Q?' } }),
    },
    listComments: {
      python: { survey_slug: 'nps', with_text: false },
      typescript: (client) => client.comments({ surveySlug: 'nps', withText: false }),
    },
  };
}

async function scene(): Promise<{ tenant: Tenant; calls: Readonly<Record<string, Call>> }> {
  const tenant = await service.tenant({ limits: NO_LIMITS }, [aSurvey({}, { slug: 'nps' })]);
  const { id } = await linkedAnswer(service, tenant, { submission: { followUpRequested: true } });
  for (const respondentId of ['carl', 'dora'])
    await linkedAnswer(service, tenant, { mint: { respondentId } });
  return { tenant, calls: callsOf(id) };
}

function fieldsOf(replies: readonly object[]): (readonly [string, string[]])[] {
  return OPENED.map(([name, { success }], index) => {
    const reply = replies[index] ?? {};
    expect(z.safeParse(success.schema?.() ?? z.never(), reply).error, name).toBeUndefined();
    return [name, Object.keys(reply).sort()] as const;
  });
}

async function askTypescript(secretKey: string, calls: Readonly<Record<string, Call>>): Promise<object[]> {
  const client = createCanvassClient({ baseUrl: gateway.url, secretKey });
  const replies: object[] = [];
  for (const [name] of OPENED) replies.push((await calls[name]?.typescript(client)) ?? {});
  return replies;
}

it('returns what the contract promises from every route to the TypeScript client', async () => {
  const { tenant, calls } = await scene();
  fieldsOf(await askTypescript(tenant.secretKey, calls));
});

describe.runIf(HAS_PYTHON)('from a wheel', () => {
  const python = freshPython();
  const script = `${import.meta.dirname}/support/every_route.py`;

  it.each(['sync', 'async'])(
    'returns the same to the %s Python client as to the TypeScript client',
    async (kind) => {
      const { tenant, calls } = await scene();
      const input = OPENED.map(([name]) => [snake(name), calls[name]?.python]);
      const args = [script, kind, gateway.url, tenant.secretKey];
      const replies: object[] = JSON.parse(await runPython(python(), args, JSON.stringify(input)));
      expect(fieldsOf(replies)).toEqual(fieldsOf(await askTypescript(tenant.secretKey, calls)));
    },
  );

  it.each(['sync', 'async'])('refuses the %s Python client like the TypeScript client', async (kind) => {
    const { tenant } = await scene();
    const stranger = `${tenant.secretKey.slice(0, -1)}~`;
    const client = createCanvassClient({ baseUrl: gateway.url, secretKey: stranger });
    const { calls } = await scene();
    const codes: unknown[] = [];
    for (const [name] of OPENED) {
      const error = await calls[name]?.typescript(client).catch((thrown: unknown) => thrown);
      codes.push(error instanceof CanvassError ? { refused: error.code } : error);
    }
    const input = OPENED.map(([name]) => [snake(name), calls[name]?.python]);
    const said = await runPython(python(), [script, kind, gateway.url, stranger], JSON.stringify(input));
    expect(JSON.parse(said)).toEqual(codes);
    expect(codes).toEqual(OPENED.map(() => ({ refused: 'invalid_key' })));
  });
});

const read = (path: string) => readFileSync(`${import.meta.dirname}/../../sdk/${path}`, 'utf8');
const typescriptName = (name: string, route: Route) => route.typescriptName ?? name;

it.each([
  ['server', typescriptName],
  ['python', snake],
])('lists each call with its route in the README of sdk/%s', (folder, nameOf) => {
  const rows = [...read(`${folder}/README.md`).matchAll(/^- `(\w+)`: `(\w+ [^`]+)`$/gm)];
  expect(rows.map(([, name, request]) => [name, request])).toEqual(
    OPENED.map(([name, route]) => [nameOf(name, route), `${route.method} ${route.path}`]),
  );
});

describe('the effect of repeating a call', () => {
  const docsOf = (path: string) => read(path).replaceAll(/\s*\n\s*\*?\s*/g, ' ');

  it.each(OPENED)('is documented at each call of the TypeScript client: %s', (name, route) => {
    const [before = ''] = docsOf('server/calls.ts').split(` ${typescriptName(name, route)}(`);
    const doc = before.slice(before.lastIndexOf('/**'));
    const isReading = route.repeated === 'reads again';
    expect(doc).toContain(isReading ? 'The call changes nothing.' : `A repeated call ${route.repeated}.`);
  });

  it('is documented at each call of the Python client', () => {
    const source = pythonSources()['routes.py'];
    for (const [name, route] of OPENED) {
      const [, call = ''] = source.split(`    def ${snake(name)}(`);
      const [, doc = ''] = call.split('"""');
      expect(doc).toContain(`When repeated after a lost reply, it ${route.repeated}.`);
    }
  });

  it('is documented at the call that acknowledges any number of scores', () => {
    const text = docsOf('server/canvass-client.ts');
    expect(text).toContain(`When repeated after a lost reply, it ${routes.ackScores.repeated}.`);
  });
});
