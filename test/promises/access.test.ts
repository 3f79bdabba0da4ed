import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { projectSettings } from '../../functions/runtime/settings-cache.ts';
import { loadEndpoints } from '../../local/endpoints.ts';
import { createProjectStore } from '../../shared/data/projects/project-store.ts';
import { projectKey } from '../../shared/data/table/schema.ts';
import { respond } from '../support/fixtures/answered.ts';
import { aKey, anId, aSurvey } from '../support/fixtures/builders.ts';
import { exampleRequest } from '../support/fixtures/example-request.ts';
import { linkedAnswer, NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { codeOf } from '../support/fixtures/submission.ts';
import { surveyOf } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import {
  type CallOptions,
  createTestService,
  type Reply,
  type Tenant,
} from '../support/service/test-service.ts';
import { createRecordingClient } from '../support/stand-ins/recording-client.ts';

const ENDPOINTS = await loadEndpoints();
const KEYED = ENDPOINTS.filter(({ route }) => route.key !== undefined);

const KEPT: Readonly<Record<string, string>> = {
  'serve-openapi': 'public, max-age=300',
  'serve-results-page': 'public, max-age=300',
  'serve-console': 'no-cache',
};

let tenant: Tenant;
let other: Tenant;
const service = await createTestService();
beforeEach(async () => {
  tenant = await service.tenant({ limits: NO_LIMITS });
  other = await service.tenant({ limits: NO_LIMITS }, [aSurvey(), aSurvey()]);
});

const neverMade = (key: string): string =>
  key.slice(0, -17) + (key.at(-17) === 'A' ? 'B' : 'A') + key.slice(-16);

function withoutRequestId({ status, headers, body }: Reply): unknown {
  const { 'x-request-id': _id, ...rest } = headers;
  const { requestId: _requestId, ...error } = body.error;
  return { status, headers: rest, error };
}

describe.each(KEYED)('401 at $route.name', (endpoint) => {
  const { key: kind = 'secret' } = endpoint.route;

  async function badKeys(): Promise<Record<string, string | undefined>> {
    const projects = createProjectStore(service.table.table, service.table.readIndex);
    const revoked = aKey(kind, tenant.project.id);
    await projects.addKey(tenant.project.id, revoked.stored);
    await projects.revokeKey(tenant.project.id, revoked.stored.hash, '2026-11-20T00:00:00.000Z');
    const purged = await service.tenant();
    await service.table.client.send(
      new UpdateCommand({
        TableName: service.table.tableName,
        Key: projectKey(purged.project.id),
        UpdateExpression: 'SET purgedAt = :at',
        ExpressionAttributeValues: { ':at': '2026-11-20T00:00:00.000Z' },
      }),
    );
    return {
      missing: undefined,
      rubbish: 'rubbish',
      'of the other kind': kind === 'secret' ? tenant.publishableKey : tenant.secretKey,
      'never made': neverMade(aKey(kind, tenant.project.id).text),
      'never made, of an unknown project': neverMade(aKey(kind, anId()).text),
      'made, and not stored': aKey(kind, tenant.project.id).text,
      'made, of a project that is gone': aKey(kind, anId()).text,
      revoked: revoked.text,
      'of a purged project': kind === 'secret' ? purged.secretKey : purged.publishableKey,
      'of another deployment': aKey(kind, tenant.project.id, { abbreviation: 'abc' }).text,
    };
  }

  it('returns the same reply for every wrong key and calls DynamoDB only for a revoked key', async () => {
    const replies = new Set<string>();
    const sequences = new Map<string, string>();
    const wereMade = /^(made|revoked|of a purged)/;
    for (const [what, key] of Object.entries(await badKeys())) {
      const { client, takeBegun } = createRecordingClient(service.table.endpoint);
      const instance = await createTestService({ table: service.table, clock: service.clock, client });
      const steps: string[] = [];
      for (const wait of [0, 500, 5_000, 31_000]) {
        service.clock.advance(wait);
        const reply = await instance.call(endpoint, exampleRequest(endpoint.route, key));
        expect([what, codeOf(reply)]).toEqual([what, '401 invalid_key']);
        replies.add(JSON.stringify(withoutRequestId(reply)));
        steps.push(takeBegun().sort().join(' '));
      }
      sequences.set(what, JSON.stringify(steps));
    }
    expect(replies.size).toBe(1);
    const made = [...sequences].filter(([what]) => wereMade.test(what));
    const others = [...sequences].filter(([what]) => !wereMade.test(what));
    expect(made).toHaveLength(4);
    expect(new Set(made.map(([, steps]) => steps)).size, JSON.stringify(made, null, 1)).toBe(1);
    for (const [what, steps] of others) expect([what, JSON.parse(steps)]).toEqual([what, ['', '', '', '']]);
  });
});

describe('two projects that know the same respondent', () => {
  const PERSON = 'the-same-person';
  beforeEach(async () => {
    await respond(service, other, PERSON);
    await linkedAnswer(service, other, { mint: { respondentId: PERSON }, surveyIndex: 1 });
  });

  const snapshot = ({ project }: Tenant) => scanAll(service.table, project.id);
  const as = ({ secretKey }: Tenant, more: CallOptions) => ({ secretKey, ...more });

  it("returns only suppression and gating of the key's own project from mint", async () => {
    const body = { respondentId: PERSON, sessionId: 's' };
    const reply = await service.call(mintTokens, as(tenant, { body }));
    expect(reply.body.suppression).toEqual([]);
    expect(Object.keys(reply.body.tokens)).toEqual([surveyOf(tenant)]);
  });

  it('exports nothing of the other project, by person, by survey or whole', async () => {
    const slug = other.surveys[0]?.content.slug ?? '';
    const statusOf = async (query: Record<string, string>) =>
      (await service.call(exportResponses, as(tenant, { query }))).status;
    expect(await statusOf({ respondentId: PERSON })).toBe(404);
    expect(await statusOf({ surveySlug: slug })).toBe(404);
    expect((await service.call(exportResponses, as(tenant, {}))).body).toMatchObject({
      projectId: tenant.project.id,
      count: 0,
    });
  });

  it('erases nothing of the other project in any mode', async () => {
    await respond(service, tenant, 'someone');
    const before = await snapshot(other);
    const slug = other.surveys[0]?.content.slug ?? '';
    const queries: Record<string, string>[] = [
      { respondentId: PERSON },
      { surveySlug: slug },
      { account: 'true' },
    ];
    for (const query of queries) await service.call(erase, as(tenant, { query }));
    expect(await snapshot(other)).toEqual(before);
  });
});

describe('headers', () => {
  it.each(ENDPOINTS)('$route.name sends all required headers with every reply', async (endpoint) => {
    const { route } = endpoint;
    const key = route.key === 'secret' ? tenant.secretKey : tenant.publishableKey;
    const fail = () => Promise.reject(new Error('broken'));
    const broken = await createTestService({
      table: service.table,
      arrange: (service) =>
        projectSettings.replace(service, {
          has: () => false,
          load: fail,
          reload: fail,
          forget: () => undefined,
        }),
    });
    const keyed = endpoint;
    const replies = [
      await service.call(keyed, exampleRequest(endpoint.route, key)),
      await service.call(keyed, exampleRequest(endpoint.route, undefined)),
      await service.call(keyed, { rawBody: 'not json', query: 'limit=0' }),
      await broken.call(keyed, exampleRequest(endpoint.route, key)),
    ];
    for (const { status, headers } of replies) {
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8,}/);
      expect(headers['x-request-id']).toMatch(/./);
      expect(headers['cache-control']).toBe(status === 200 ? (KEPT[route.name] ?? 'no-store') : 'no-store');
    }
  });
});
