/**
 * Checks the table of docs/contract.md §4.2: if two conditions apply, the earlier row wins, and a refusal never uses
 * the token.
 */

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { reviseResponse } from '../../functions/revise-response.ts';
import type { Endpoint } from '../../functions/runtime/endpoint.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitImpression } from '../../functions/submit-impression.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { loadEndpoints } from '../../local/endpoints.ts';
import { refusalsOf } from '../../shared/contract/route.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { aKey, aSurvey } from '../support/fixtures/builders.ts';
import { boundTokenOf, someone, surveyOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import {
  type CallOptions,
  createTestService,
  type Tenant,
  type TestService,
} from '../support/service/test-service.ts';

const ORIGIN = 'https://shop.example';
const SESSION = { sessionId: 'session-1', traceId: 'trace-1', observationId: 'observation-1' };

interface Row {
  readonly condition: string;
  readonly status: number;
  readonly code: string;
}

const ROWS = {
  malformed: { condition: 'the key given twice and differing', status: 400, code: 'invalid_request' },
  key: { condition: 'an unknown key', status: 401, code: 'invalid_key' },
  origin: { condition: 'an origin that is not allowed', status: 403, code: 'origin_not_allowed' },
  suspended: { condition: 'a suspended project', status: 403, code: 'project_suspended' },
  rate: { condition: 'the rate limit', status: 429, code: 'rate_limited' },
  schema: { condition: 'a field that fails its schema', status: 400, code: 'invalid_request' },
  survey: { condition: 'an unknown survey', status: 404, code: 'survey_not_found' },
  token: { condition: 'a forged token', status: 401, code: 'invalid_token' },
  expired: { condition: 'an expired token', status: 401, code: 'token_expired' },
  mismatch: { condition: 'another session', status: 401, code: 'token_mismatch' },
  scale: { condition: 'a rating outside the scale', status: 400, code: 'rating_out_of_range' },
  used: { condition: 'a used token', status: 409, code: 'token_used' },
  nothing: { condition: 'no stored answer', status: 404, code: 'response_not_found' },
  conflict: { condition: 'a gap of revisions', status: 409, code: 'revision_conflict' },
} as const satisfies Record<string, Row>;
type RowName = keyof typeof ROWS;

const DOOR = ['malformed', 'key', 'origin', 'suspended', 'rate', 'schema'] as const;
const TOKEN = [...DOOR, 'survey', 'token', 'expired', 'mismatch'] as const;

interface CheckedRoute {
  readonly endpoint: Endpoint;
  readonly rows: readonly RowName[];
  readonly invalid: object;
}

const ROUTES: readonly CheckedRoute[] = [
  { endpoint: bootstrap, rows: DOOR, invalid: { userId: 7 } },
  { endpoint: mintTokens, rows: ['malformed', 'key', 'rate', 'schema'], invalid: { respondentId: 7 } },
  { endpoint: submitResponse, rows: [...TOKEN, 'scale', 'used'], invalid: { rating: 'nine' } },
  { endpoint: submitDismissal, rows: [...TOKEN, 'used'], invalid: { userId: null } },
  { endpoint: submitImpression, rows: TOKEN, invalid: { surveyId: null } },
  {
    endpoint: reviseResponse,
    rows: [...TOKEN, 'scale', 'used', 'nothing', 'conflict'],
    invalid: { revision: 'one' },
  },
];

const TAKING_TOKENS = ROUTES.filter(({ rows }) => rows.includes('token'));

it('covers every route that takes show-tokens from clients', async () => {
  const taking = (await loadEndpoints()).filter(({ route }) => refusalsOf(route).includes('token_mismatch'));
  const names = (routes: readonly Endpoint[]) => routes.map(({ route }) => route.name).sort();
  expect(names(TAKING_TOKENS.map(({ endpoint }) => endpoint))).toEqual(names(taking));
});

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});

const storeOf = ({ table }: TestService) => createProjectStore(table.table, table.readIndex);

const forge = (token: string): string =>
  `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`;

interface PreparedCase {
  readonly tenant: Tenant;
  readonly good: CallOptions & { body: Record<string, unknown>; headers: Record<string, string> };
  readonly request: CallOptions;
}

async function prepareCase(endpoint: Endpoint, wrong: readonly RowName[]): Promise<PreparedCase> {
  const has = (row: RowName): boolean => wrong.includes(row);
  const isAnswer = endpoint !== bootstrap && endpoint !== mintTokens;
  const tenant = await service.tenant(
    {
      allowedOrigins: [ORIGIN],
      tokenLifetimeMs: has('expired') ? 1_000 : 86_400_000,
      rates: { publishable: has('rate') ? 1 : 0, secret: has('rate') ? 1 : 0, genuine: 1 },
    },
    [aSurvey({}, { type: 'csat' })],
  );
  const { publishableKey: key, secretKey, project } = tenant;
  const person = someone();
  const showToken = isAnswer ? await boundTokenOf(service, tenant, { respondentId: person, ...SESSION }) : '';
  const presented = { key, surveyId: surveyOf(tenant), showToken, ...SESSION };
  const fields = new Map<Endpoint, Record<string, unknown>>([
    [bootstrap, { key, userId: person }],
    [mintTokens, { respondentId: person, sessionId: 'session-1' }],
    [submitResponse, { ...presented, rating: 3 }],
    [submitDismissal, { ...presented, userId: person }],
    [submitImpression, presented],
    [reviseResponse, { ...presented, rating: 4, revision: has('conflict') ? 2 : 1 }],
  ]);
  const body = fields.get(endpoint) ?? {};
  const good = { body, headers: { origin: ORIGIN }, ...(endpoint === mintTokens && { secretKey }) };

  if (endpoint === reviseResponse) {
    const stored = has('used') ? submitDismissal : submitResponse;
    const answer = { ...good, body: fields.get(stored) };
    if (!has('nothing')) expect((await service.call(stored, answer)).status).toBe(201);
  } else if (has('used')) expect((await service.call(endpoint, good)).status).toBe(201);
  if (has('suspended')) {
    await storeOf(service).updateProject(project.id, { status: 'suspended' });
  }
  // An instance caches settings for 30 s, which is longer than a token lives.
  if (has('suspended') || has('expired')) service.clock.advance(31_000);
  if (has('rate')) {
    // Requests that can store something and requests that cannot have separate limits.
    const spend = { ...good, body: { ...body, showToken: 'spent', respondentId: null } };
    const mismatched = { ...good, body: { ...body, sessionId: 'spent' } };
    for (let i = 0; i < 3; i++) await service.call(endpoint, spend);
    if (isAnswer) for (let i = 0; i < 7; i++) await service.call(endpoint, mismatched);
  }

  const unknown = aKey(endpoint === mintTokens ? 'secret' : 'publishable', project.id).text;
  const request: CallOptions = {
    ...(endpoint === mintTokens && { secretKey: has('key') ? unknown : secretKey }),
    headers: { origin: has('origin') ? 'https://evil.example' : ORIGIN },
    body: {
      ...body,
      ...(endpoint !== mintTokens && has('key') && { key: unknown }),
      ...(has('survey') && { surveyId: 'sv_unknown' }),
      ...(has('token') && { showToken: forge(showToken) }),
      ...(has('mismatch') && { sessionId: 'session-2' }),
      ...(has('scale') && { rating: 9 }),
      ...(has('schema') && ROUTES.find((route) => route.endpoint === endpoint)?.invalid),
    },
    ...(has('malformed') && endpoint !== mintTokens && { query: { key: `${key}x` } }),
  };
  const malformed = has('malformed') && endpoint === mintTokens ? { rawBody: '[]' } : {};
  return { tenant, good, request: { ...request, ...malformed } };
}

const expectedOf = (endpoint: Endpoint, row: RowName): Row =>
  row === 'used' && endpoint === submitDismissal ? { ...ROWS.used, status: 401 } : ROWS[row];

describe.each(ROUTES)('$endpoint.route.name', ({ endpoint, rows }) => {
  const pairs = rows
    .flatMap((first, index) => rows.slice(index + 1).map((second) => ({ first, second })))
    // The answer that used a token is stored, so both rows cannot apply.
    .filter(({ first, second }) => first !== 'used' || second !== 'nothing');

  it.each(rows.map((row) => ({ row, ...expectedOf(endpoint, row) })))(
    '$status $code: $condition',
    async ({ row, status, code }) => {
      const { request } = await prepareCase(endpoint, [row]);
      const reply = await service.call(endpoint, request);
      expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    },
  );

  it.each(pairs.map((pair) => ({ ...pair, names: `${pair.first} before ${pair.second}` })))(
    '$names',
    async ({ first, second }) => {
      const { request } = await prepareCase(endpoint, [first, second]);
      const reply = await service.call(endpoint, request);
      const { status, code } = expectedOf(endpoint, first);
      expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    },
  );
});

describe.each(TAKING_TOKENS)('a refusal of $endpoint.route.name', ({ endpoint, rows }) => {
  const lasting: readonly RowName[] = ['expired', 'used', 'nothing', 'conflict'];
  const { status: accepted } = endpoint.route.success;
  beforeAll(async () => {
    service = await createTestService();
  });

  it.each(rows.map((row) => ({ row, ...ROWS[row] })))(
    'stores nothing and leaves the token unused: $condition',
    async ({ row }) => {
      const { request, good, tenant } = await prepareCase(endpoint, [row]);
      const before = await scanAll(service.table, tenant.project.id);
      expect((await service.call(endpoint, request)).status).toBeGreaterThanOrEqual(400);
      expect(await scanAll(service.table, tenant.project.id)).toEqual(before);
      if (lasting.includes(row)) return;
      if (row === 'suspended') {
        await storeOf(service).updateProject(tenant.project.id, { status: 'active' });
      }
      service.clock.advance(31_000);
      expect((await service.call(endpoint, good)).status).toBe(accepted);
    },
  );

  it.each([
    ['sessionId', 1],
    ['traceId', ''],
    ['observationId', 'x'.repeat(257)],
  ])('400 invalid_request when %s is malformed and the token attests one', async (field, value) => {
    const { good } = await prepareCase(endpoint, []);
    const body = { ...good.body, [field]: value, surveyId: 'sv_unknown' };
    const reply = await service.call(endpoint, { ...good, body });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'invalid_request']);
    expect(reply.body.error.issues).toEqual([{ path: field, message: expect.any(String) }]);
    expect((await service.call(endpoint, good)).status).toBe(accepted);
  });

  it.each([
    ['no session values', { sessionId: undefined, traceId: undefined, observationId: undefined }],
    ['another trace', { traceId: 'trace-2' }],
    ['another observation', { observationId: 'observation-2' }],
  ])('401 token_mismatch when %s', async (_, session) => {
    const { good } = await prepareCase(endpoint, []);
    const reply = await service.call(endpoint, { ...good, body: { ...good.body, ...session } });
    expect([reply.status, reply.body.error.code]).toEqual([401, 'token_mismatch']);
  });

  it('404 survey_not_found for a survey of another project', async () => {
    const { good } = await prepareCase(endpoint, []);
    const body = { ...good.body, surveyId: surveyOf(await service.tenant()) };
    const reply = await service.call(endpoint, { ...good, body });
    expect([reply.status, reply.body.error.code]).toEqual([404, 'survey_not_found']);
  });

  it('401 token_mismatch for the token of another survey of the project', async () => {
    const { good, tenant } = await prepareCase(endpoint, []);
    const another = aSurvey({}, { type: 'csat' });
    await storeOf(service).createSurvey(tenant.project.id, another);
    service.clock.advance(31_000);
    const reply = await service.call(endpoint, { ...good, body: { ...good.body, surveyId: another.id } });
    expect([reply.status, reply.body.error.code]).toEqual([401, 'token_mismatch']);
    expect((await service.call(endpoint, good)).status).toBe(accepted);
  });

  it('401 invalid_token in another project with the same survey, and in another stage over the same table', async () => {
    const { good, tenant } = await prepareCase(endpoint, []);
    const { publishableKey: key } = await service.tenant({}, tenant.surveys);
    const staging = await createTestService({ table: service.table, clock: service.clock, stage: 'staging' });
    for (const reply of [
      await service.call(endpoint, { ...good, body: { ...good.body, key } }),
      await staging.call(endpoint, good),
    ])
      expect([reply.status, reply.body.error.code]).toEqual([401, 'invalid_token']);
    expect((await service.call(endpoint, good)).status).toBe(accepted);
  });

  it('401 token_expired from the millisecond at which the token expires', async () => {
    const timed = await createTestService({
      table: service.table,
      clock: createTestClock(service.clock.now()),
    });
    const { good } = await prepareCase(endpoint, []);
    const again = structuredClone(good);
    if (endpoint === reviseResponse) again.body.revision = 2;
    timed.clock.advance(86_400_000 - 1);
    expect((await timed.call(endpoint, good)).status).toBe(accepted);
    timed.clock.advance(1);
    expect((await timed.call(endpoint, again)).body.error.code).toBe('token_expired');
  });
});

afterEach(() => {
  const failures = service.logs.filter((line) => line.includes('"status":5'));
  service.logs.length = 0;
  expect(failures).toEqual([]);
});
